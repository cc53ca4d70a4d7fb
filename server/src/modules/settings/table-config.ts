import { Fault } from '@mooring/contract/kit/fault';
import { TableConfig } from '@mooring/contract/settings/calls';
import type { Ctx } from '../../platform/context.ts';

function readConfig(text: string, code: string): TableConfig {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new Fault('CONFIG_INVALID');
  }
  const parsed = TableConfig.safeParse(raw);
  if (!parsed.success || parsed.data.code !== code) throw new Fault('CONFIG_INVALID');
  return parsed.data;
}

/** A person's own layout of one table (specification, section 3, "Table column config"). */
export async function findTableConfig(ctx: Ctx, code: string) {
  const row = await ctx.db
    .selectFrom('settings_table_config')
    .select('config')
    .where('user_id', '=', ctx.actor.userId)
    .where('code', '=', code)
    .executeTakeFirst();
  return row ? { config: JSON.stringify(row.config) } : null;
}

export async function saveTableConfig(ctx: Ctx, input: { code: string; config: string }): Promise<null> {
  const config = JSON.stringify(readConfig(input.config, input.code));
  await ctx.db
    .insertInto('settings_table_config')
    .values({ user_id: ctx.actor.userId, code: input.code, config })
    .onConflict((on) => on.columns(['user_id', 'code']).doUpdateSet({ config, updated_at: ctx.now() }))
    .execute();
  return null;
}
