import { expect, test } from 'vitest';
import { memoryJournal } from './journal.ts';
import { obeyLine, onTheSpot } from './on-the-spot.ts';
import { reportedSettings } from './settings.ts';

function terminal() {
  const journal = memoryJournal('1.0.0');
  const told: string[] = [];
  return { journal, told, sn: 'V1-000001', spot: onTheSpot(journal, () => told.push('hello')) };
}

test('what is changed at a terminal itself is kept, and told at once', () => {
  const one = terminal();
  const say = (line: string) => obeyLine([one], line);
  expect(say('flash V1-000001 6.6.6')).toBe('V1-000001: flash 6.6.6');
  expect(one.journal.firmware).toBe('6.6.6');
  say('uninstall V1-000001 com.bank.pay');
  expect(one.journal.apps.get('com.bank.pay')).toBe(null);
  say('set V1-000001 networkConfig.hotspot {"on": true}');
  expect(Object.keys(reportedSettings(one.journal))).toEqual(['networkConfig.hotspot']);
  say('reset V1-000001 networkConfig.hotspot');
  expect(reportedSettings(one.journal)).toEqual({});
  expect(one.told).toHaveLength(4);
});

test('a line that says nothing of the kind changes nothing, and is told why', () => {
  const one = terminal();
  for (const line of ['', 'flash', 'flash V9-1 2.0', 'flash V1-000001', 'paint V1-000001 red', 'set V1-000001 x [1]', 'set V1-000001 x {'])
    expect(obeyLine([one], line)).toMatch(/flash SN VERSION|Not a JSON object/);
  expect(one.told).toEqual([]);
});
