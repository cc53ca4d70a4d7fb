import { type ConfigValues, MOST_CONFIG } from '@mooring/contract/device/config-values';
import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

const CONFIG_DAYS = 30;

/** Settings of a terminal may be 100 kB: of so many they are in memory at once. */
const AT_ONCE = 100;
function* partsOf(ids: readonly number[]): Generator<readonly number[]> {
  const sorted = ids.toSorted((one, other) => one - other);
  for (let at = 0; at < sorted.length; at += AT_ONCE) yield sorted.slice(at, at + AT_ONCE);
}

/** Whoever is told the newest needs none of those before it. One that is being sent, or answered, at this moment is left alone. */
export async function dropOlder(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    delete from gateway_outbox where id in (
      select o.id from gateway_outbox o join device d on d.id = o.device_id
      where o.device_id = any(${ids}::bigint[]) and o.topic = 'config' and o.state in ('waiting', 'sent') and o.key <> 'cfg-' || d.id || '-' || d.config_revision
      order by o.id for update of o skip locked)`.execute(db);
}

async function tellConfig(
  ctx: Ctx,
  db: Db,
  of: readonly { readonly id: number; readonly revision: number; readonly values: ConfigValues }[],
): Promise<void> {
  if (of.length === 0) return;
  await dropOlder(
    db,
    of.map(({ id }) => id),
  );
  await ctx.sendMessages(
    db,
    of.map(({ id, revision, values }) => ({
      deviceId: id,
      kind: 'config' as const,
      key: `cfg-${id}-${revision}`,
      data: { revision, values },
      expiresAt: new Date(ctx.now().getTime() + CONFIG_DAYS * 86_400_000),
    })),
  );
}
/** A terminal is believed so far: what it may report beyond that leaves no room to count on. */
export const MOST_REPORTED = 2 ** 30;
const LAST = 2 ** 31 - 1;
/** Above what the terminal has already. */
const nextRevision = sql<number>`least(greatest(config_revision, least(coalesce(config_reported, 0), ${MOST_REPORTED}::int))::bigint + 1, ${LAST}::int)::int`;

/** Desired state: kept with a revision, told to the terminal until it says that it has it. Faults: NOT_FOUND, and OVERTAKEN where it is no longer `from`. */
export async function putConfig(
  ctx: Ctx,
  db: Db,
  id: number,
  values: ConfigValues,
  from?: number,
): Promise<{ revision: number; sn: string }> {
  const before = await db.selectFrom('device').select('config_revision').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (from !== undefined && before && before.config_revision !== from) throw fault('OVERTAKEN');
  const changed = await sql<{ revision: number; sn: string }>`
    update device set config = ${JSON.stringify(values)}::jsonb, config_revision = ${nextRevision} where id = ${id} and deleted_at is null returning config_revision as revision, sn`.execute(
    db,
  );
  const row = changed.rows[0];
  if (!row) throw fault('NOT_FOUND');
  await tellConfig(ctx, db, [{ id, values, revision: row.revision }]);
  return row;
}

/** Terminals that go into other hands begin anew, with what their product says: nobody reads there what another had set. */
export async function resetConfig(ctx: Ctx, db: Db, ids: readonly number[]): Promise<void> {
  for (const some of partsOf(ids)) {
    const { rows } = await sql<{ id: number; revision: number; values: ConfigValues }>`
      update device d set config = x.config, config_revision = ${nextRevision} from (
        select o.id, coalesce(p.config, '{}') as config from device o left join product_product p on p.id = o.product_id
        where o.id = any(${some}::bigint[]) and o.deleted_at is null and o.config <> coalesce(p.config, '{}') order by o.id for no key update of o
      ) x where d.id = x.id returning d.id, d.config_revision as revision, d.config as values`.execute(db);
    await tellConfig(ctx, db, rows);
  }
}

const configured = ({ values, remove }: Record<string, unknown>) =>
  sql<ConfigValues>`((d.config || ${JSON.stringify(values)}::jsonb) - ${remove as string[]}::text[])`;
/** Whether device `d` has other settings then, and no more than it may have. */
export const mayConfigure = (params: Record<string, unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${configured(params)} <> d.config and (select count(*) from jsonb_object_keys(${configured(params)})) <= ${MOST_CONFIG})`;

/** Some settings of many terminals; answers those that have others now. */
export async function changeConfig(ctx: Ctx, db: Db, ids: readonly number[], params: Record<string, unknown>): Promise<readonly number[]> {
  const changed: number[] = [];
  for (const some of partsOf(ids)) {
    const { rows } = await sql<{ id: number; revision: number; values: ConfigValues }>`
      update device d set config = ${configured(params)}, config_revision = ${nextRevision} from (
        select o.id from device o where o.id = any(${some}::bigint[]) and o.deleted_at is null order by o.id for no key update of o
      ) x where d.id = x.id and ${mayConfigure(params)} returning d.id, d.config_revision as revision, d.config as values`.execute(db);
    await tellConfig(ctx, db, rows);
    changed.push(...rows.map(({ id }) => id));
  }
  return changed;
}
