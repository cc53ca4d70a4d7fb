import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { expect, test } from 'vitest';
import { allMachines } from '../generated/all-state-machines.ts';

/** Amber is for states in which a person is asked. Who that is, and for what. */
const asked: Readonly<Record<string, string>> = {
  'changeRequest.waiting': 'a second person approves or rejects it',
  'devicePending.asking': 'a person accepts or rejects the terminal',
  'grantReview.due': 'a manager confirms the access',
  'org.applied': 'the unit above approves or rejects it',
  'realName.personToOrg': 'an auditor decides',
  'realName.waiting': 'an auditor decides',
  'realName.willTimeOut': 'the person renews their documents',
  'task.auditing': 'a person approves it',
  'task.paused': 'whoever paused it resumes or cancels it',
  'taskResult.paused': 'with its release',
  'user.joining': 'a manager approves or rejects it',
};

test('a state is amber only where a person is asked', async () => {
  const machines = [...(await allMachines()).map(({ machine }) => machine), backgroundJobMachine];
  const amber = machines.flatMap(({ name, states }) =>
    Object.entries(states).flatMap(([state, { tone }]) => (tone === 'wait' ? [`${name}.${state}`] : [])),
  );
  expect(amber.sort()).toEqual(Object.keys(asked).sort());
});
