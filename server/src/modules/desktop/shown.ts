import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { type Layout, layoutFor } from '@mooring/contract/desktop/layout';
import { numbered } from '@mooring/contract/desktop/numbered';
import type { Measured } from '@mooring/contract/desktop/screen-fit';
import type { shownCalls } from '@mooring/contract/desktop/shown-calls';
import { resultMachine, succeededStates } from '@mooring/contract/engines/rollout/state-machines';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { advertPart, customizationPart, desktopPart, type Part } from './parts.ts';

const sees = { advert: advertCalls.page.can, customization: customizationCalls.page.can, desktop: desktopCalls.page.can };

/** Which of these rows the terminal has from a release, the last one first. */
async function sentTo(ctx: Ctx, of: Part, deviceId: number, ids: readonly number[]): Promise<number[]> {
  const content = sql.ref(`t.${of.part}_id`);
  const sent = await sql<{ id: number }>`
    select ${content} as id from rollout_result r join rollout_task t on t.id = r.task_id
    where r.device_id = ${deviceId} and r.kind = ${of.of.kind} and r.state = any(${codesOf(resultMachine, succeededStates)}) and ${content} = any(${ids}::bigint[])
    order by r.ended_at desc nulls last, r.id desc`.execute(ctx.db);
  return sent.rows.map(({ id }) => id);
}

/** Of desktops for several screens the one that is shown on a terminal with this one. */
async function screensFor(
  ctx: Ctx,
  of: readonly { readonly id: number }[],
  screen: Measured | null,
): Promise<ReadonlyMap<number, Measured>> {
  const ids = of.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await ctx.db.selectFrom('desktop_desktop').select(['id', 'layout']).where('id', 'in', ids).execute();
  return new Map(
    rows.flatMap(({ id, layout: stored }): [number, Measured][] => {
      const layout = stored as Layout;
      const { width, height } = layoutFor(layout, screen ?? undefined);
      return layout.sizes?.length ? [[id, { width, height }]] : [];
    }),
  );
}

/** What a terminal shows, of what the actor sees: known by the digest that it reports. */
export const shownOn: Handler<typeof shownCalls.shown> = async (ctx, { deviceId }) => {
  const device = await ctx.db.selectFrom('device').select(['settings', 'screen']).where('id', '=', deviceId).executeTakeFirst();
  const reported = Object.entries((device?.settings ?? {}) as Record<string, string>);
  const shown = await Promise.all(
    [advertPart, customizationPart, desktopPart].map(async (shownPart) => {
      const { part, table, of } = shownPart;
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
        // Of several that are the same, and none of which was sent: the one that may be, and the first.
        .orderBy(sql`state = 'published'`, 'desc')
        .orderBy('number')
        .orderBy('id')
        .execute();
      const screens = part === 'desktop' ? await screensFor(ctx, found, device?.screen as Measured | null) : new Map<number, Measured>();
      const sent = await sentTo(
        ctx,
        shownPart,
        deviceId,
        found.map((row) => row.id),
      );
      return own.flatMap(([section, digest]) => {
        const same = found.filter((one) => one.version === digest);
        const last = sent.find((id) => same.some((one) => one.id === id));
        const row = same.find((one) => one.id === last) ?? same[0];
        return row ? [{ section, id: row.id, name: numbered(row), screen: screens.get(row.id) ?? null }] : [];
      });
    }),
  );
  return shown.flat();
};
