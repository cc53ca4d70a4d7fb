import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import {
  type ApproverRole,
  decidedSteps,
  positionOf,
  releaseCourse,
  reviewCourse,
  reviewer,
  stages,
  stepsOf,
  targetOf,
} from '@mooring/contract/engines/approval/steps';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Act, actsOf, eventOf, type Person, type Standing } from './who.ts';

const acts: readonly Act[] = ['pass', 'refuse', 'return', 'applyTrial', 'applyFull', 'cancelTrial', 'cancelFull', 'end'];
const TASK = '1.2.7.';
const AUTHOR = 1;
const person = fc.record({
  userId: fc.integer({ min: 1, max: 6 }),
  path: fc.constantFrom('1.', '1.2.', TASK, '1.2.7.9.', '1.3.', '1.2.70.'),
  roles: fc.subarray<ApproverRole>(['1', '2', '3', 'customer']).map((roles): ReadonlySet<ApproverRole> => new Set(roles)),
  applies: fc.boolean(),
});
const tried = fc.record({ person, act: fc.constantFrom(...acts), editor: fc.integer({ min: 1, max: 6 }) });
const standingAt = (step: string, more: Partial<Standing> = {}): Standing => ({
  step,
  result: '0',
  course: releaseCourse,
  authors: new Set([AUTHOR]),
  path: TASK,
  hasEnded: false,
  isUnplaced: false,
  owners: [],
  ...more,
});

test('whoever tries whatever, a stage opens only after its three approvers, none of them its author, and no stage is skipped', () => {
  fc.assert(
    fc.property(fc.array(tried, { maxLength: 120 }), (all) => {
      let standing = standingAt('11');
      let passed: { readonly place: string; readonly who: Person }[] = [];
      let opened = 0;
      for (const { person: who, act, editor } of all) {
        const { stage, place } = positionOf(standing.step);
        if (!actsOf(standing, who).includes(act)) continue;
        const event = eventOf(releaseCourse, standing.step, act);
        const target = event && targetOf(releaseCourse, standing.step, event);
        expect(target).toBeDefined();
        if (!target) return;
        if (act === 'pass') {
          expect(standing.authors.has(who.userId)).toBe(false);
          expect(TASK.startsWith(who.path) || who.path.startsWith(TASK)).toBe(true);
          passed.push({ place, who });
        }
        if (event === 'approveMarket') {
          expect(passed.map((one) => one.place)).toEqual(['confirm', 'line', 'market']);
          for (const one of passed) expect(one.who.roles.has(releaseCourse.roleAt[one.place as 'line'] ?? '1')).toBe(true);
          expect(stage === opened || stage === opened + 1).toBe(true);
          opened = Math.max(opened, stage ?? 0);
        }
        let step = approvalMachine.states[target].code;
        const result = event === 'resultConfirm' ? '1' : '0';
        // Applied for, or edited by somebody and handed in again: whoever did is its author from then on.
        if (positionOf(step).place === 'returned' && act !== 'end') step = `${step[0]}0`;
        if (positionOf(step).place === 'application') {
          standing = { ...standing, authors: new Set([AUTHOR, editor]) };
          step = `${step[0]}1`;
          passed = [];
        }
        standing = { ...standing, step, result };
      }
    }),
    { numRuns: 300 },
  );
});

test('what has ended, and a result that is confirmed at the end, leave nothing to do', () => {
  const anybody: Person = { userId: 9, path: '1.', roles: new Set(['1', '2', '3', 'customer']), applies: true };
  expect(actsOf(standingAt('51'), anybody)).toEqual([]);
  expect(actsOf(standingAt('34', { result: '1' }), anybody)).toEqual([]);
  expect(actsOf(standingAt('34'), anybody)).toContain('pass');
});

test('steps are the specification’s: three stages, and no 35', () => {
  expect(stages.flatMap((stage) => stepsOf(stage))).toEqual([
    ...['10', '11', '12', '13', '14', '15', '20', '21', '22', '23', '24', '25'],
    ...['30', '31', '32', '33', '34'],
  ]);
  expect(Object.keys(approvalMachine.byCode).filter((code) => code.endsWith('6') || code === '51')).toEqual(['16', '26', '36', '51']);
});

test('an organisation speaks for its own terminals alone, and the region where none has any', () => {
  const of = (path: string, role: ApproverRole): Person => ({ userId: 5, path, roles: new Set([role]), applies: false });
  const waits = standingAt('14', { owners: ['1.2.7.9.'] });
  expect(actsOf(waits, of('1.2.7.9.', 'customer'))).toContain('pass');
  expect(actsOf(waits, of('1.2.7.8.', 'customer'))).toEqual([]);
  expect(actsOf(waits, of('1.2.', '3'))).toEqual([]);
  expect(actsOf(standingAt('14'), of('1.2.', '3'))).toContain('pass');
});

const judging = fc.record({
  userId: fc.integer({ min: 1, max: 4 }),
  path: fc.constantFrom('1.', '1.2.', TASK, '1.2.7.9.', '1.3.', '1.2.70.'),
  roles: fc.subarray(['1', '2', '3', 'customer', reviewer] as const).map((roles): Person['roles'] => new Set(roles)),
  applies: fc.boolean(),
});
const done = fc.record({ person: judging, act: fc.constantFrom(...acts), ends: fc.boolean() });

test('whoever tries whatever, a review is approved by one who may review at or above its owner and didn’t write it, and by no release’s approver', () => {
  fc.assert(
    fc.property(fc.array(done, { maxLength: 60 }), (all) => {
      let standing = standingAt('33', { course: reviewCourse });
      for (const { person: who, act, ends } of all) {
        if (actsOf(standing, who).includes(act)) {
          const event = eventOf(reviewCourse, standing.step, act);
          const target = event && targetOf(reviewCourse, standing.step, event);
          expect(target).toBeDefined();
          if (!target) return;
          if (act === 'pass') {
            expect([standing.step, standing.authors.has(who.userId), who.roles.has(reviewer)]).toEqual(['33', false, true]);
            expect(TASK.startsWith(who.path)).toBe(true);
          }
          standing = { ...standing, step: approvalMachine.states[target].code, result: event === reviewCourse.settles ? '1' : '0' };
          expect(['30', '33', '34', '36', '51']).toContain(standing.step);
        }
        // Its developer goes on: what was sent back or has ended is edited, or handed in anew; what is out may end.
        if (standing.step === '34' && ends) standing = { ...standing, step: '51', result: '1' };
        for (const event of ['edit', 'apply'] as const) {
          const next = targetOf(reviewCourse, standing.step, event);
          if (next && !ends) standing = { ...standing, step: approvalMachine.states[next].code, result: '0' };
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what has ended comes back by a review alone; a release that has ended doesn’t', () => {
  expect(targetOf(reviewCourse, '51', 'apply')).toBe('market3');
  expect(targetOf(reviewCourse, '51', 'edit')).toBe('application3');
  for (const event of Object.keys(approvalMachine.events) as (keyof typeof approvalMachine.events)[])
    expect(targetOf(releaseCourse, '51', event)).toBeUndefined();
  for (const step of ['10', '20', '30']) expect(targetOf(releaseCourse, step, 'apply')).toBe(`confirm${step[0]}`);
});

test('people decide at eleven steps and 34, which the index of what is to be asked for again names', () => {
  expect(decidedSteps.toSorted()).toEqual(['11', '12', '13', '14', '21', '22', '23', '24', '31', '32', '33', '34']);
});
