import type { ConfigValues } from '@mooring/contract/device/config-values';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

const CONFIG_DAYS = 30;

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
    update device set config = ${JSON.stringify(values)}::jsonb, config_revision = greatest(config_revision, coalesce(config_reported, 0)) + 1 where id = ${id} and deleted_at is null returning config_revision as revision, sn`.execute(
    db,
  );
  const row = changed.rows[0];
  if (!row) throw fault('NOT_FOUND');
  await ctx.sendMessages(db, [
    {
      deviceId: id,
      kind: 'config',
      key: `cfg-${id}-${row.revision}`,
      data: { revision: row.revision, values },
      expiresAt: new Date(ctx.now().getTime() + CONFIG_DAYS * 86_400_000),
    },
  ]);
  return row;
}

/** Terminals that go into other hands begin anew, with what their product says: nobody reads there what another had set. */
export async function resetConfig(ctx: Ctx, db: Db, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; config: ConfigValues }>`
    select d.id, coalesce(p.config, '{}') as config from device d left join product_product p on p.id = d.product_id
    where d.id = any(${ids}::bigint[]) and d.config <> coalesce(p.config, '{}') order by d.id`.execute(db);
  for (const { id, config } of rows) await putConfig(ctx, db, id, config);
}
