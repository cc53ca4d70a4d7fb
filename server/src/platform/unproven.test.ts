import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { homeOf, unprovenGuests } from './unproven.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const guests = (limits = { connections: 5, perAddress: 3, seconds: 10 }) => {
  const ended: string[] = [];
  const all = unprovenGuests<string>(limits, (one) => void ended.push(one));
  return { ...all, ended };
};

test('a flood of one address displaces itself, and nobody else', () => {
  const { add, ended, size } = guests();
  add('honest', '10.0.0.1');
  for (let at = 0; at < 100; at += 1) add(`flood${at}`, '10.0.0.2');
  expect(ended).not.toContain('honest');
  expect(ended[0]).toBe('flood0');
  expect(size()).toBe(5);
});

test('a crowd behind one address gets its chance first', () => {
  const { add, ended } = guests({ connections: 100, perAddress: 3, seconds: 10 });
  for (let at = 0; at < 50; at += 1) add(`crowd${at}`, '10.0.0.2');
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(4000);
  add('late', '10.0.0.2');
  expect(ended).toEqual(['crowd0']);
});

test('who proved it is never ended; who does not in time is, and who did something has its time anew', () => {
  const { add, left, renew, ended, size } = guests();
  for (const one of ['proved', 'silent', 'busy']) add(one, '10.0.0.1');
  left('proved');
  vi.advanceTimersByTime(6000);
  renew('busy');
  vi.advanceTimersByTime(6000);
  expect(ended).toEqual(['silent']);
  expect(size()).toBe(1);
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('%s is counted at %s', (address, home) => {
  expect(homeOf(address)).toBe(home);
});
