import { expect, test } from 'vitest';
import { fillJournal, memoryJournal, storedOf } from './journal.ts';
import { androidParams, keepSettings, reportedParams } from './settings.ts';

const set = (section: string, values: object | null) => ({ section, values }) as Parameters<typeof keepSettings>[1];
const effective = (journal: ReturnType<typeof memoryJournal>) =>
  Object.fromEntries([...androidParams(journal.settings)].map(([key, { value }]) => [key, value]));

test('parameters of several templates come together, the last one counts, and a reset gives back what the others set', () => {
  const journal = memoryJournal('1.0');
  keepSettings(journal, set('androidParam.1', { values: { host: 'a', port: 1 } }));
  keepSettings(journal, set('androidParam.2', { values: { port: 2 }, secrets: { pin: '4711' }, salt: 's' }));
  keepSettings(journal, set('networkConfig.hotspot', { on: true }));
  expect(effective(journal)).toEqual({ host: 'a', port: 2, pin: '4711' });
  keepSettings(journal, set('androidParam.1', { values: { host: 'b', port: 3 } }));
  expect(effective(journal)).toEqual({ host: 'b', port: 3, pin: '4711' });
  expect(reportedParams(journal.settings)).toEqual({ host: 'b', port: 3, pin: null });
  const again = memoryJournal('1.0');
  fillJournal(again, storedOf(journal));
  expect(effective(again)).toEqual({ host: 'b', port: 3, pin: '4711' });
  keepSettings(journal, set('androidParam.1', null));
  expect(effective(journal)).toEqual({ port: 2, pin: '4711' });
});
