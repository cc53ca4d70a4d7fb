import { BLACKOUT_DAYS, Blackout, blackoutCalls } from '@mooring/contract/blackout/calls';
import { Fault } from '@mooring/contract/kit/fault';
import { addDays, isOver } from '@mooring/contract/shared/date-range';
import type { Module } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';

const wrong = (text: string) => new Fault('BAD_INPUT', { fields: { toDay: text } });

const blackouts = resource(Blackout, blackoutCalls, {
  table: 'release_blackout',
  small: true,
  target: (row) => `blackout dates ${row.name}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  columns: (ctx, { fromDay, toDay }) => {
    if (toDay < fromDay) throw wrong('invalid.blackoutOrder');
    if (toDay >= addDays(fromDay, BLACKOUT_DAYS)) throw wrong('invalid.blackoutLong');
    if (isOver(toDay, ctx.now())) throw wrong('invalid.blackoutPast');
    return {};
  },
});

export const blackout: Module = { name: 'blackout', resources: [blackouts] };
