import { Alarm, alarmCalls } from '@mooring/contract/alert/alarm';
import type { Exact } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { isBelow } from '../../platform/db/below.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { t } from '../../platform/texts/translate.ts';
import { many, muteDevice, one } from './alarm-acts.ts';
import { statistic } from './statistic.ts';
import { summary } from './summary.ts';

const MUTED = sql<Date | null>`(select max(u.until) from alert_mute u where u.device_id = t.device_id)`;
const read = (ctx: Ctx, id: number) => alarms.read(ctx, id);

export const alarms: Resource<typeof Alarm> = resource(Alarm, alarmCalls, {
  table: 'alert_alarm',
  target: (row) => `alarm ${row.label}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .leftJoin('device as d', (on) => on.onRef('d.id', '=', 't.device_id').on(sql<boolean>`starts_with(d.dept_path, t.dept_path)`))
      .leftJoin('merchant_merchant as m', 'm.id', 'd.merchant_id')
      .select(['o.name as dept_name', 'p.name as product_name', 'm.name as merchant_name', MUTED.as('muted_until')]),
  criteria: { below: (below: Exact<number>, ctx: Ctx) => isBelow(ctx, 't.dept_path', below) },
  acts: { acknowledge: alarmCalls.acknowledge, close: alarmCalls.close, muteDevice: alarmCalls.muteDevice },
  shown: (row) => ({ about: row.about as Record<string, string | number> }),
  cells: { about: (about, lang, { kind }) => t(lang, `alert.what.${kind}`, about) },
  handlers: {
    acknowledge: one('acknowledge', read),
    close: one('close', read),
    acknowledgeMany: many('acknowledge'),
    closeMany: many('close'),
    muteDevice,
    summary: (ctx, input) => summary(ctx, input, () => alarms),
    statistic,
  },
});
