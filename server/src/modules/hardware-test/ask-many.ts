import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { type BulkAct, bulkJobOf, bulkRunner } from '../device/api.ts';
import { addTests } from './ask-terminals.ts';

/** A terminal says what it can do when it comes into contact; of one that hasn’t yet nobody knows. */
const isAble = sql<boolean>`(d.capabilities = '{}' or 'hardwareTest' = any(d.capabilities))`;
const isUnderTest = sql<boolean>`exists (select from hardware_test t where t.device_id = d.id and t.state in ('requested', 'running'))`;

/** Of a job that begins again after a crash: those that it has asked already. */
async function askedBefore(db: Db, ids: readonly number[], work: unknown): Promise<readonly number[]> {
  if (work === undefined) return [];
  const keys = ids.map((id) => `ht-${work}-${id}`);
  const { rows } = await sql<{ id: number }>`select device_id as id from hardware_test where key = any(${keys}::text[])`.execute(db);
  return rows.map(({ id }) => id);
}

const ask: BulkAct = async (ctx: Ctx, db, ids, { parts, hours, work }) => {
  const before = new Set(await askedBefore(db, ids, work));
  const fresh = ids.filter((id) => !before.has(id));
  const key = work === undefined ? undefined : sql<string>`'ht-' || ${String(work)}::text || '-' || d.id`;
  const which = sql<boolean>`d.id = any(${fresh}::bigint[]) and ${isAble}`;
  const made = await addTests(ctx, db, which, { parts: parts as HardwarePart[], hours: Number(hours) }, key);
  return [...before, ...made.map((test) => test.device_id)];
};

async function failures(db: Db, _name: 'hardwareTest', ids: readonly number[]) {
  const { rows } = await sql<{ id: number; label: string; fault: string }>`
    select d.id, d.sn as label, case when d.status = '4' or d.deleted_at is not null then 'DEVICE_STATE'
      when ${isAble} then 'HARDWARE_TEST_BUSY' else 'HARDWARE_TEST_UNABLE' end as fault
    from device d where d.id = any(${ids}::bigint[]) order by d.id`.execute(db);
  return rows;
}

const manyTests = {
  job: 'hardware-test.many',
  acts: { hardwareTest: ask },
  cans: { hardwareTest: hardwareTestCalls.many.can },
  changeable: () => sql<boolean>`(d.deleted_at is null and d.status <> '4' and ${isAble} and not ${isUnderTest})`,
  failures,
};
const run = bulkRunner(manyTests);
export const manyTestsJob = bulkJobOf(manyTests);

export const askMany: Handler<typeof hardwareTestCalls.many> = (ctx, { of, preview, parts, hours }) =>
  run(ctx, 'hardwareTest', of, preview, { parts, hours });
