import { HardwareTest, hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { type HardwarePart, hardwareParts } from '@mooring/contract/hardware-test/parts';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Exact } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { valuesOf } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { outboxRows } from '../../platform/gateway/handle-replies.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { askMany } from './ask-many.ts';
import { askTerminals } from './ask-terminals.ts';
import { resultsOf } from './results-of.ts';
import { testDocument } from './test-document.ts';
import { TESTS, testRows } from './test-rows.ts';

const detail: Handler<typeof hardwareTestCalls.detail> = async (ctx, { id }) => {
  const row = await tests.read(ctx, id);
  return { ...row, results: await resultsOf(ctx.db, row) };
};

/** The same parts, within as many hours as the first had: its command says so while it is kept. */
const again: Handler<typeof hardwareTestCalls.again> = async (ctx, { id }) => {
  const { rows } = await sql<{ device_id: number; parts: HardwarePart[]; hours: number | null }>`
    select t.device_id, t.parts, round(extract(epoch from o.expires_at - t.created_at) / 3600)::int as hours
    from hardware_test t left join gateway_outbox o on o.key = t.key and o.device_id = t.device_id where t.id = ${id}`.execute(ctx.db);
  const [test] = rows;
  if (!test) throw fault('NOT_FOUND');
  const { device_id: deviceId, parts, hours } = test;
  return askTerminals(ctx, { deviceIds: [deviceId], parts, ...(hours === null ? {} : { hours: Math.max(hours, 1) }) });
};

/** The terminal may have the command already: what it finds is no longer asked for. */
const cancel: Handler<typeof hardwareTestCalls.cancel> = async (ctx, { id }) => {
  const test = await ctx.db.selectFrom('hardware_test').select(['key', 'sn']).where('id', '=', id).executeTakeFirst();
  if (!test) throw fault('NOT_FOUND');
  const moved = await move(ctx.db, testRows, 'cancel', [id], { actorId: ctx.actor.userId, set: { ended_at: ctx.now() } });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await move(ctx.db, outboxRows, 'withdraw', sql`key = ${test.key}`, { actorId: ctx.actor.userId });
  ctx.audit({ target: `hardware test ${test.sn}` });
  await ctx.invalidate(ctx.db, TESTS);
  return tests.read(ctx, id);
};

/** A part that works again in a later test, or isn't asked for in it, says nothing of the others. */
const ofDevice: Handler<typeof hardwareTestCalls.ofDevice> = async (ctx, { deviceId }) => {
  const { rows } = await sql<{ id: number; ended_at: Date | null; part: HardwarePart; outcome: string }>`
    select distinct on (p.part) t.id, t.ended_at, p.part, p.outcome from hardware_test t join hardware_test_part p on p.test_id = t.id
    where t.device_id = ${deviceId} order by p.part, t.created_at desc, t.id desc`.execute(ctx.db);
  const failed = rows.filter(({ outcome }) => outcome === 'failed');
  const [newest] = (failed.length > 0 ? failed : rows).toSorted((one, other) => other.id - one.id);
  const failedParts = hardwareParts.filter((part) => failed.some((one) => one.part === part));
  return { id: newest?.id ?? null, at: newest?.ended_at ?? null, failedParts };
};

export const tests: Resource<typeof HardwareTest> = resource(HardwareTest, hardwareTestCalls, {
  table: 'hardware_test',
  target: (row) => `hardware test ${row.sn}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .select([
        'o.name as dept_name',
        sql<string>`coalesce(p.name, '')`.as('product_name'),
        sql<string | null>`t.failed_parts[1]`.as('failed_part'),
      ]),
  criteria: {
    failedPart: (part: Exact<HardwarePart>) => sql<boolean>`(t.failed_parts <> '{}' and t.failed_parts && ${valuesOf(part) ?? []}::text[])`,
  },
  acts: { again: hardwareTestCalls.again },
  refuses: {
    again: (row) => (row.state === 'requested' || row.state === 'running') && new Fault('HARDWARE_TEST_NONE'),
  },
  handlers: {
    detail,
    document: testDocument((ctx, id, db) => tests.read(ctx, id, db)) as never,
    add: askTerminals as never,
    many: askMany,
    again,
    cancel,
    ofDevice,
  },
});
