import { Fault } from '@mooring/contract/kit/fault';
import { PageSetting, settingCalls, TableConfig } from '@mooring/contract/settings/calls';
import { handlers, type Module } from '../../platform/module.ts';

const unbranded = PageSetting.parse({
  systemName: 'Mooring',
  systemLogo: null,
  companyName: null,
  companyAddress: null,
  loginPageImg: null,
  productList: [],
  relationPageList: [],
});
const VERSION = '2.2.0';

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

export const settings: Module = {
  name: 'settings',
  routes: handlers(settingCalls, {
    pageSetting: async (ctx) => {
      const row = await ctx.db.selectFrom('settings_value').select('value').where('type', '=', 'branding').executeTakeFirst();
      const branding = PageSetting.partial().safeParse(row?.value ?? {});
      return { ...unbranded, ...(branding.success ? branding.data : {}) };
    },
    supportConfig: async () => ({ supportWebPath: null }),
    projectConfig: async () => ({
      afterSalesUrl: null,
      projectKey: null,
      fileSource: 'default',
      supportWebUrl: null,
      pageId: null,
      version: VERSION,
    }),
    tableConfig: async (ctx, input) => {
      const row = await ctx.db
        .selectFrom('settings_table_config')
        .select('config')
        .where('user_id', '=', ctx.actor.userId)
        .where('code', '=', input.code)
        .executeTakeFirst();
      return row ? { config: JSON.stringify(row.config) } : null;
    },
    saveTableConfig: async (ctx, input) => {
      const config = JSON.stringify(readConfig(input.config, input.code));
      await ctx.db
        .insertInto('settings_table_config')
        .values({ user_id: ctx.actor.userId, code: input.code, config })
        .onConflict((on) => on.columns(['user_id', 'code']).doUpdateSet({ config, updated_at: ctx.now() }))
        .execute();
      return null;
    },
  }),
};
