import { expect, test } from 'vitest';
import type { Journal } from './journal.ts';
import { obeyThing, type Things } from './things.ts';

test('a set that comes after a newer one changes nothing: what holds is told, and that it was overtaken', async () => {
  const held: Record<string, never> = {};
  const things: Things = {
    values: () => ({ ...held }),
    set: async (values) => {
      Object.assign(held, values);
      return { ok: true };
    },
    call: async () => ({ ok: true }),
  };
  const journal = { propertySeqs: new Map<string, number>(), save() {} } as unknown as Journal;
  const told: unknown[] = [];
  const set = (seq: number, values: object) =>
    obeyThing(things, journal, { command: 'propertySet', params: { values }, seq }, (values) => told.push(values));
  expect(await set(8, { level: 80 })).toEqual({ ok: true });
  expect(await set(7, { level: 70 })).toEqual({ ok: false, reason: 'overtaken' });
  expect(told).toEqual([{ level: 80 }, { level: 80 }]);
  expect(await set(7, { level: 70, tone: 3 })).toEqual({ ok: true });
  expect(told.at(-1)).toEqual({ level: 80, tone: 3 });
});
