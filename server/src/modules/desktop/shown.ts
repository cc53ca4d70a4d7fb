import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { numbered } from '@mooring/contract/desktop/numbered';
import type { shownCalls } from '@mooring/contract/desktop/shown-calls';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Handler } from '../../platform/module.ts';
import { advertPart, customizationPart, desktopPart } from './parts.ts';

const sees = { advert: advertCalls.page.can, customization: customizationCalls.page.can, desktop: desktopCalls.page.can };

/** What a terminal shows, of what the actor sees: known by the digest that it reports. */
export const shownOn: Handler<typeof shownCalls.shown> = async (ctx, { deviceId }) => {
  const device = await ctx.db.selectFrom('device').select('settings').where('id', '=', deviceId).executeTakeFirst();
  const reported = Object.entries((device?.settings ?? {}) as Record<string, string>);
  const shown = await Promise.all(
    [advertPart, customizationPart, desktopPart].map(async ({ part, table, of }) => {
      if (!isAllowed(ctx.actor.permissions, sees[part])) return [];
      const own = reported.filter(([section]) => section.split('.')[0] === of.kind);
      if (own.length === 0) return [];
      const found = await ctx.db
        .selectFrom(table)
        .select(['id', 'name', 'version', 'number'])
        .where(
          'version',
          'in',
          own.map(([, digest]) => digest),
        )
        .where('version', '<>', '')
        // Of several that are the same the newest.
        .orderBy('id', 'desc')
        .execute();
      return own.flatMap(([section, digest]) => {
        const row = found.find((one) => one.version === digest);
        return row ? [{ section, id: row.id, name: numbered(row) }] : [];
      });
    }),
  );
  return shown.flat();
};
