import type { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { sql } from 'kysely';
import { inGroups } from '../../engines/devices/groups.ts';
import type { Handler } from '../../platform/module.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: string | null;
  readonly since: Date | null;
}
const MOST = 200;

/** The fences that are for a terminal, as far as the person sees them: where it stands to each, those first that it is known of. */
export const ofDevice: Handler<typeof geofenceCalls.ofDevice> = async (ctx, { deviceId }) => {
  const { dept_path } = await ctx.db.selectFrom('device').select('dept_path').where('id', '=', deviceId).executeTakeFirstOrThrow();
  const isFor = sql`f.enabled and f.dept_path = any(${pathsAbove(dept_path)}::text[])`;
  // Before any are cut off: of many for other groups none would be left.
  const { rows: asked } = await sql<{ id: number }>`
    select distinct unnest(f.group_ids) as id from geofence f where ${isFor} and f.audience = 'groups' order by 1`.execute(ctx.db);
  const groups: number[] = [];
  for (const { id } of asked) {
    const { rows: within } = await sql`select from device d where d.id = ${deviceId} and ${await inGroups(ctx.db, [id])}`.execute(ctx.db);
    if (within.length > 0) groups.push(id);
  }
  const { rows } = await sql<Row>`
    select f.id, f.name, s.state, s.since from geofence f
      left join geofence_state s on s.fence_id = f.id and s.device_id = ${deviceId} and s.state <> 'gone'
    where ${isFor} and (f.audience <> 'devices' or ${deviceId} = any(f.device_ids)) and (f.audience <> 'groups' or f.group_ids && ${groups}::bigint[])
    order by s.state is null, f.name limit ${MOST}`.execute(ctx.db);
  return rows.map(({ id, name, state, since }) => ({
    id,
    name,
    stands: state === 'inside' || state === 'outside' ? state : ('unknown' as const),
    since,
  }));
};
