import { BLACKOUT_DAYS, Blackout, blackoutCalls } from '@mooring/contract/blackout/calls';
import { Fault } from '@mooring/contract/kit/fault';
import { addDays, isOver } from '@mooring/contract/shared/date-range';
import { TELL_WINDOWS } from '../../engines/rollout/tell-windows.ts';
import type { Module } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';

const wrong = (text: string) => new Fault('BAD_INPUT', { fields: { toDay: text } });

const blackouts = resource(Blackout, blackoutCalls, {
  table: 'release_blackout',
  small: true,
  target: (row) => `blackout dates ${row.name}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  columns: async (ctx, { fromDay, toDay }, { before, path, db }) => {
    if (toDay < fromDay) throw wrong('invalid.blackoutOrder');
    if (toDay >= addDays(fromDay, BLACKOUT_DAYS)) throw wrong('invalid.blackoutLong');
    if (isOver(toDay, ctx.now())) throw wrong('invalid.blackoutPast');
    // Of new ones, and of others that they are now: terminals that wait already hear of it.
    if (String(before?.from_day) !== fromDay || String(before?.to_day) !== toDay) await ctx.enqueue(db, TELL_WINDOWS, { below: path });
    return {};
  },
  deleted: (ctx, row) => ctx.enqueue(ctx.db, TELL_WINDOWS, { below: row.dept_path }),
});

export const blackout: Module = { name: 'blackout', resources: [blackouts] };
