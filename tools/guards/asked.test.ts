import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { expect, test } from 'vitest';
import { allMachines } from '../generated/all-state-machines.ts';

/** Amber is for states in which a person is asked. Who that is, and for what. */
const asked: Readonly<Record<string, string>> = {
  'appSubscription.asked': 'the owner of the app accepts or declines',
  'appReview.awaiting': 'a reviewer approves it or sends it back',
  'approval.confirm1': 'a region maintainer confirms the sample',
  'approval.confirm2': 'a region maintainer confirms the trial',
  'approval.confirm3': 'a region maintainer confirms full release',
  'approval.line1': 'a product-line administrator approves the sample',
  'approval.line2': 'a product-line administrator approves the trial',
  'approval.line3': 'a product-line administrator approves full release',
  'approval.market1': 'a market administrator approves the sample',
  'approval.market2': 'a market administrator approves the trial',
  'approval.market3': 'a market administrator approves full release',
  'changeRequest.waiting': 'a second person approves or rejects it',
  'developer.applied': 'a reviewer accepts or declines it',
  'devicePending.asking': 'a person accepts or rejects the terminal',
  'grantReview.due': 'a manager confirms the access',
  'order.created': 'the service partner accepts it',
  'orderWarranty.denied': 'who ordered accepts or disputes what the service partner says',
  'orderCost.asked': 'who ordered approves or declines the costs',
  'org.applied': 'the unit above approves or rejects it',
  'realName.personToOrg': 'an auditor decides',
  'realName.waiting': 'an auditor decides',
  'realName.willTimeOut': 'the person renews their documents',
  'signingJob.requested': 'a second person approves or rejects it',
  'signingJob.waiting': 'a person delivers the signatures of the external key',
  'signingKey.waiting': 'a second person approves or rejects it',
  'syncConflict.open': 'a person keeps what stands here or takes what the register says',
  'task.auditing': 'a person approves it',
  'task.paused': 'whoever paused it resumes or cancels it',
  'taskResult.paused': 'with its release',
  'transfer.waiting': 'its receiver accepts or rejects it',
  'user.joining': 'a manager approves or rejects it',
};

test('a state is amber only where a person is asked', async () => {
  const machines = [...(await allMachines()).map(({ machine }) => machine), backgroundJobMachine];
  const amber = machines.flatMap(({ name, states }) =>
    Object.entries(states).flatMap(([state, { tone }]) => (tone === 'wait' ? [`${name}.${state}`] : [])),
  );
  expect(amber.sort()).toEqual(Object.keys(asked).sort());
});
