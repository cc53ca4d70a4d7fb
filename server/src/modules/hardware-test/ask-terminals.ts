import { HARDWARE_TEST_HOURS } from '@mooring/contract/hardware-test/calls';
import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { TESTS, testRows } from './test-rows.ts';

interface Wanted {
  readonly parts: readonly HardwarePart[];
  readonly hours?: number;
}
interface Made {
  readonly id: number;
  readonly key: string;
  readonly device_id: number;
  readonly sn: string;
}

/**
 * A test for each terminal `d` that can be asked, with its command: of two at once the database lets one through. Who moves a terminal meanwhile
 * waits, and takes it back.
 */
export async function addTests(
  ctx: Ctx,
  db: Db,
  which: RawBuilder<boolean>,
  { parts, hours = HARDWARE_TEST_HOURS }: Wanted,
  /** Names the test of a terminal where it must not be made twice. */
  key: RawBuilder<string> = sql<string>`'ht-' || gen_random_uuid()`,
): Promise<readonly Made[]> {
  const { actor } = ctx;
  const wanted = [...new Set(parts)];
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + hours * 3_600_000);
  const { rows } = await sql<Made>`
    insert into hardware_test (key, device_id, sn, product_id, parts, by_id, by_name, dept_id, dept_path, created_at, expires_at)
    select ${key}, d.id, d.sn, d.product_id, ${wanted}::text[], ${actor.userId}, ${actor.userName}, d.dept_id, d.dept_path, ${now}, ${expiresAt}
    from device d where ${which} and d.deleted_at is null and d.status <> '4' order by d.id for share of d
    on conflict (device_id) where state in ('requested', 'running') do nothing
    returning id, key, device_id, sn`.execute(db);
  if (rows.length === 0) return rows;
  await recordCreated(
    db,
    testRows,
    rows.map((row) => row.id),
    actor.userId,
  );
  const told = await ctx.sendMessages(
    db,
    rows.map((row) => ({
      deviceId: row.device_id,
      kind: 'command' as const,
      key: row.key,
      data: { command: 'hardwareTest', params: { parts: wanted } },
      expiresAt,
      actor: { userId: actor.userId, userName: actor.userName },
    })),
  );
  // Whoever isn't told never answers: all of it or nothing.
  if (told < rows.length) throw fault('OVERTAKEN');
  await ctx.invalidate(db, TESTS);
  return rows;
}

/** Chosen one by one. */
export async function askTerminals(ctx: Ctx, { deviceIds, ...wanted }: Wanted & { readonly deviceIds: readonly number[] }) {
  const ids = [...new Set(deviceIds)];
  const made = await addTests(ctx, ctx.db, sql<boolean>`d.id = any(${ids}::bigint[])`, wanted);
  const [first] = made;
  if (!first) throw new Fault('HARDWARE_TEST_NONE', { fields: { deviceIds: 'fault.HARDWARE_TEST_NONE' } });
  ctx.audit({ target: made.length === 1 ? `hardware test ${first.sn}` : `hardware test ${made.length} devices` });
  return { asked: made.length, refused: ids.length - made.length, id: first.id };
}
