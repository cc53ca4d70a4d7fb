import { expect, test } from 'vitest';
import { type Asking, decideEnrolment } from './decide-enrolment.ts';

const device = { deptPath: '1.2.7.', disabled: false, deleted: false, activeKeys: [] as string[] };
const asking: Asking = {
  sn: 'A-1234',
  keyHash: 'mine',
  device: undefined,
  code: undefined,
  rule: undefined,
  factory: [],
  pending: undefined,
};
const many = { sn: null, deptPath: '1.2.7.' };
const decide = (change: Partial<Asking>) => decideEnrolment({ ...asking, ...change });

test('without a code, a rule or a word it asks', () => {
  expect(decide({})).toEqual({ do: 'ask' });
  expect(decide({ device })).toEqual({ do: 'ask' });
  expect(decide({ pending: 'asking' })).toEqual({ do: 'ask' });
});

test('a code lets in, and makes the device where nobody knows it', () => {
  expect(decide({ code: many })).toMatchObject({ do: 'issue', by: 'code', create: true });
  expect(decide({ code: many, device })).toMatchObject({ do: 'issue', by: 'code', create: false });
});

test('a code that does not hold, or is for another place or SN, does not let in', () => {
  expect(decide({ code: 'wrong', pending: 'accepted' })).toEqual({ do: 'refuse', reason: 'CODE_WRONG' });
  expect(decide({ code: { sn: 'B-1234', deptPath: '1.' } })).toEqual({ do: 'refuse', reason: 'CODE_NOT_FOR_DEVICE' });
  expect(decide({ code: { sn: null, deptPath: '1.2.8.' }, device: { ...device, activeKeys: ['theirs'] } })).toEqual({
    do: 'refuse',
    reason: 'CODE_NOT_FOR_DEVICE',
  });
});

test('a code for a SN that stands in another organisation, and that nobody holds, is a person’s to decide about', () => {
  const code = { sn: null, deptPath: '1.2.8.' };
  expect(decide({ code, device })).toEqual({ do: 'ask' });
  expect(decide({ code, device, pending: 'asking' })).toEqual({ do: 'ask' });
  expect(decide({ code, device, pending: 'accepted' })).toMatchObject({ do: 'issue', by: 'person', create: false });
  expect(decide({ code, device, pending: 'refused' })).toEqual({ do: 'refuse', reason: 'ENROLMENT_REFUSED' });
});

test('neither a code for many nor a rule takes over a SN that another key holds', () => {
  const held = { ...device, activeKeys: ['theirs'] };
  expect(decide({ device: held, code: many })).toEqual({ do: 'refuse', reason: 'ALREADY_ENROLLED' });
  expect(decide({ device: held, rule: { deptPath: '1.', onlyExpected: true } })).toEqual({ do: 'ask' });
  expect(decide({ device: held, code: { sn: 'A-1234', deptPath: '1.2.7.' } })).toMatchObject({ do: 'issue', replace: true });
  expect(decide({ device: held, pending: 'accepted' })).toMatchObject({ do: 'issue', by: 'person', replace: true });
});

test('the key that holds the SN enrols again without a code', () => {
  expect(decide({ device: { ...device, activeKeys: ['mine'] } })).toMatchObject({ do: 'issue', by: 'sameKey' });
});

test('a rule lets in whom it fits', () => {
  expect(decide({ rule: { deptPath: '1.2.', onlyExpected: true }, device })).toMatchObject({ do: 'issue', by: 'rule' });
  expect(decide({ rule: { deptPath: '1.2.', onlyExpected: true } })).toEqual({ do: 'ask' });
  expect(decide({ rule: { deptPath: '1.2.', onlyExpected: false } })).toMatchObject({ do: 'issue', by: 'rule', create: true });
  expect(decide({ rule: { deptPath: '1.3.', onlyExpected: true }, device })).toEqual({ do: 'ask' });
});

test('who is disabled, deleted or refused stays out, whatever it brings', () => {
  expect(decide({ device: { ...device, disabled: true }, code: many })).toMatchObject({ do: 'refuse' });
  expect(decide({ device: { ...device, deleted: true, activeKeys: ['mine'] } })).toMatchObject({ do: 'refuse' });
  expect(decide({ pending: 'refused', rule: { deptPath: '1.', onlyExpected: false } })).toEqual({
    do: 'refuse',
    reason: 'ENROLMENT_REFUSED',
  });
});

test('a factory certificate lets in the very terminal that is expected there, also with a new key, and nobody else', () => {
  const factory = ['1.2.'];
  expect(decide({ device, factory })).toEqual({ do: 'issue', by: 'factory', create: false, replace: false });
  expect(decide({ device: { ...device, activeKeys: ['other'] }, factory })).toMatchObject({ by: 'factory', replace: true });
  expect(decide({ device, factory: ['1.2.8.'] })).toEqual({ do: 'ask' });
  expect(decide({ factory })).toEqual({ do: 'ask' });
  expect(decide({ device: { ...device, disabled: true }, factory })).toEqual({ do: 'refuse', reason: 'ENROLMENT_REFUSED' });
  expect(decide({ device, factory, pending: 'refused' })).toEqual({ do: 'refuse', reason: 'ENROLMENT_REFUSED' });
});
