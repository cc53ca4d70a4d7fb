import { Geofence, geofenceCalls, MOST_EVERYWHERE, MOST_GEOFENCES } from '@mooring/contract/geofence/geofence';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { inGroups } from '../../engines/devices/groups.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type Resource, type RowIn, resource } from '../../platform/resource/resource.ts';
import { ALARM_CALLS, alarmRows, sayTestOf } from '../alert/api.ts';
import { checkDevices, drawn, wrong } from './checked-input.ts';
import { ofDevice } from './of-device.ts';
import { previewFence } from './preview.ts';
import { FENCE_ALARM_CALLS } from './watch.ts';

type Input = z.output<typeof Geofence.add>;
type Row = RowIn<'geofence'>;
/** Those who add at once come one after the other. */
async function checkCount(db: Db, deptId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('geofences', ${deptId}))`.execute(db);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from geofence where dept_id = ${deptId}`.execute(db);
  if ((rows[0]?.n ?? 0) >= MOST_GEOFENCES) throw new Fault('GEOFENCES_MANY', { params: { most: MOST_GEOFENCES } });
}

/** Where terminals stand to it is forgotten, and its alarms close: they were about what is no more so. */
async function forget(ctx: Ctx, db: Db, row: Pick<Row, 'id' | 'rule_id'>, reason: 'changed' | 'off' | 'deleted'): Promise<void> {
  await sql`delete from geofence_state where fence_id = ${row.id}`.execute(db);
  const set = { closed_at: ctx.now(), closed_by: ctx.actor.userName, tell_at: null, escalate_at: null, ended_since: null, reason };
  await move(db, alarmRows, 'close', sql`rule_id = ${row.rule_id}`, { actorId: ctx.actor.userId, set });
  for (const group of [ALARM_CALLS, FENCE_ALARM_CALLS]) await ctx.invalidate(db, group);
}

const numbers = (list: readonly (number | string)[]) => list.map(Number);
const asSet = (list: readonly number[]) => JSON.stringify([...new Set(list)].sort((a, b) => a - b));
const isSame = (one: readonly number[], other: readonly number[]) => asSet(one) === asSet(other);
/** Held against each position of each terminal, wherever it is. */
const isEverywhere = (audience: string, alarmOn: string) => audience === 'all' && alarmOn === 'out';

/** Of an organisation, those above, and the one way down that has most of them. Fault: GEOFENCES_EVERYWHERE. */
async function checkEverywhere(ctx: Ctx, db: Db, path: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('geofences everywhere', 0))`.execute(db);
  // Past the policies: those above aren't seen from here, and count where everything is seen.
  const { rows } = await ctx.unscoped((all) =>
    sql<{ n: number }>`
      with those as (
        select dept_path from geofence where audience = 'all' and alarm_on = 'out' and (starts_with(${path}, dept_path) or starts_with(dept_path, ${path}))
      )
      select coalesce(max(n), 0)::int as n from (
        select count(*) as n from (select distinct dept_path from those union select ${path}) leaf join those on starts_with(leaf.dept_path, those.dept_path)
        group by leaf.dept_path
      ) x`.execute(all),
  );
  if ((rows[0]?.n ?? 0) >= MOST_EVERYWHERE) throw new Fault('GEOFENCES_EVERYWHERE', { params: { most: MOST_EVERYWHERE } });
}

interface Lists {
  readonly group_ids: readonly number[];
  readonly device_ids: readonly number[];
}
/**
 * What a change means for the terminals that stand to it already: nothing of it is forgotten, and their next words say where they stand to what is drawn
 * now. Only where it is for others than before are those gone that it isn't for any more, and what another event raises begins anew.
 */
async function settle(ctx: Ctx, db: Db, before: Row, input: Input, lists: Lists): Promise<void> {
  if (!input.enabled) return forget(ctx, db, before, 'off');
  if (input.alarmOn !== before.alarm_on) return forget(ctx, db, before, 'changed');
  if (input.alarmOn === 'out' && input.outMinutes !== before.out_minutes)
    await sql`update geofence_state set due_at = since + make_interval(mins => ${input.outMinutes})
      where fence_id = ${before.id} and state = 'outside' and due_at is not null`.execute(db);
  const isForSame = isSame(lists.group_ids, numbers(before.group_ids)) && isSame(lists.device_ids, numbers(before.device_ids));
  if (input.audience === 'all' || (input.audience === before.audience && isForSame)) return;
  const isFor =
    input.audience === 'devices' ? sql<boolean>`d.id = any(${lists.device_ids}::bigint[])` : await inGroups(db, lists.group_ids);
  await sql`update geofence_state s set state = 'gone', due_at = ${ctx.now()} where s.fence_id = ${before.id} and s.state <> 'gone'
    and not exists (select from device d where d.id = s.device_id and ${isFor})`.execute(db);
}

async function columns(ctx: Ctx, input: Input, { before, path, db }: { before: Row | undefined; path: string; db: Db }) {
  if (!before) await checkCount(db, input.deptId);
  const shape = drawn(input);
  if (input.audience === 'groups' && input.groupIds.length === 0) throw wrong('groupIds');
  if (input.audience === 'devices') await checkDevices(db, input.deviceIds, path);
  if ((input.quietFrom === '') !== (input.quietTo === '')) throw wrong(input.quietFrom === '' ? 'quietFrom' : 'quietTo');
  if (input.escalateMinutes !== null && input.escalateIds.length === 0) throw wrong('escalateIds');
  const lists = {
    group_ids: input.audience === 'groups' ? [...new Set(input.groupIds)] : [],
    device_ids: input.audience === 'devices' ? [...new Set(input.deviceIds)] : [],
  };
  if (isEverywhere(input.audience, input.alarmOn) && !(before && isEverywhere(before.audience, before.alarm_on)))
    await checkEverywhere(ctx, db, path);
  if (before) await settle(ctx, db, before, input, lists);
  return { ...shape, ...lists };
}

const count = (column: 'inside' | 'outside') =>
  sql<number>`(select coalesce(sum(${sql.ref(`y.${column}`)}), 0)::int from geofence_tally y where y.fence_id = t.id)`;

export const makeGeofences = (app: AppContext): Resource<typeof Geofence> => {
  const geofences: Resource<typeof Geofence> = resource(Geofence, geofenceCalls, {
    table: 'geofence',
    target: (row) => `geofence ${row.name}`,
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .select([
          'o.name as dept_name',
          count('inside').as('inside'),
          count('outside').as('outside'),
          sql<number>`(select count(*)::int from (select from alert_alarm a where a.rule_id = t.rule_id and a.state <> 'closed' limit 1000) c)`.as(
            'open_alarms',
          ),
        ]),
    // Lists of large numbers come as texts.
    shown: (row) => ({
      groupIds: numbers(row.group_ids),
      deviceIds: numbers(row.device_ids),
      receiverIds: numbers(row.receiver_ids),
      escalateIds: numbers(row.escalate_ids),
    }),
    columns,
    // Its rows have gone with it; the alarms stay as history.
    deleted: (ctx, row) => forget(ctx, ctx.db, row, 'deleted'),
    acts: { setEnabled: geofenceCalls.setEnabled, test: geofenceCalls.test },
    handlers: {
      preview: previewFence,
      ofDevice,
      test: async (ctx, { id }) => {
        const row = await ctx.inTx((db) =>
          db.selectFrom('geofence').select(['name', 'receiver_ids', 'channels', 'dept_path']).where('id', '=', id).executeTakeFirst(),
        );
        if (!row) throw fault('NOT_FOUND');
        ctx.audit({ target: `geofence ${row.name}` });
        return sayTestOf(app, ctx, row);
      },
      setEnabled: async (ctx, { id, enabled }) => {
        const row = await ctx.db
          .selectFrom('geofence')
          .select(['id', 'name', 'rule_id', 'enabled'])
          .where('id', '=', id)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (!row) throw fault('NOT_FOUND');
        if (!enabled && row.enabled) await forget(ctx, ctx.db, row, 'off');
        await ctx.db.updateTable('geofence').set({ enabled }).where('id', '=', id).execute();
        ctx.audit({ target: `geofence ${row.name}`, before: { enabled: row.enabled }, after: { enabled } });
        return geofences.read(ctx, id);
      },
    },
  });
  return geofences;
};
