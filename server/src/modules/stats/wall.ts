import type { wallCalls } from '@mooring/contract/stats/calls';
import type { Handler } from '../../platform/module.ts';
import { mayStill } from '../access/api.ts';
import { alarmsNow } from '../alert/api.ts';
import { failuresOf } from './failures.ts';
import { fleetOf, versionsOf } from './fleet.ts';
import { onlineOf } from './online.ts';
import { releasesOf } from './releases.ts';

/** All that a screen on a wall shows, in one answer. */
export const wallView: Handler<typeof wallCalls.view> = async (ctx) => {
  const where = { path: ctx.scope.path };
  // Alarms are read on another platform than the wall stands on: what its maker holds there, not what this call does, opens them.
  const mayRead = await ctx.readOnly((db) => mayStill(db, ctx.actor.userId, 'alert:alarm:page', ctx.scope.deptId));
  const dept = await ctx.db.selectFrom('org_dept').select('name').where('id', '=', ctx.scope.deptId).executeTakeFirst();
  return {
    deptName: dept?.name ?? '',
    at: ctx.now(),
    fleet: await fleetOf(ctx, where),
    day: await onlineOf(ctx, where, '1'),
    month: await onlineOf(ctx, where, '30'),
    releases: await releasesOf(ctx, where),
    failures: await failuresOf(ctx, where, '7'),
    versions: await versionsOf(ctx, where),
    alarms: mayRead ? await alarmsNow(ctx.db, ctx.scope.path) : null,
  };
};
