import { MOST_GROUPS } from '@mooring/contract/device/group-calls';
import { type RawBuilder, sql } from 'kysely';
import { mayJoin } from '../../../engines/rollout/join-tasks.ts';
import type { Ctx, Db } from '../../../platform/context.ts';

/** A group as an act on many has it, in its parameters. */
export interface GroupParams {
  readonly id: number;
  readonly dept_path: string;
}
export const groupIn = (params: Record<string, unknown>): GroupParams => ({ id: Number(params.groupId), dept_path: String(params.path) });

const isMember = ({ id }: GroupParams) =>
  sql<boolean>`exists (select from device_group_member m where m.group_id = ${id} and m.device_id = d.id)`;
const isFull = sql<boolean>`(select count(*) from device_group_member m where m.device_id = d.id) >= ${MOST_GROUPS}`;

/** Devices (as `d`) that may come into a group, and those that may leave it. */
export const mayEnter = (group: GroupParams): RawBuilder<boolean> =>
  sql<boolean>`(d.dept_path >= ${group.dept_path} and d.dept_path < ${`${group.dept_path}~`} and not ${isMember(group)} and not ${isFull})`;
export const mayLeave = isMember;

/** Answers which came in. Their rows are held meanwhile: two who add to many groups at once don't pass the limit together. */
export async function addTo(ctx: Ctx, db: Db, { id }: Pick<GroupParams, 'id'>, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  // The group as it stands now: it may have moved with its organisation since the act began, or be gone.
  const found = await sql<{ dept_path: string }>`select dept_path from device_group where id = ${id} for key share`.execute(db);
  const group = found.rows[0];
  if (!group) return [];
  await sql`select id from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into device_group_member (group_id, device_id, dept_path)
    select ${id}, d.id, ${group.dept_path} from device d
    where d.id = any(${ids}::bigint[]) and d.deleted_at is null and ${mayEnter({ id, ...group })} order by d.id
    on conflict do nothing returning device_id as id`.execute(db);
  const added = rows.map((row) => row.id);
  await mayJoin(db, ctx, added);
  return added;
}

export async function removeFrom(db: Db, { id }: GroupParams, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from device_group_member where group_id = ${id} and device_id = any(${ids}::bigint[]) returning device_id as id`.execute(db);
  return rows.map((row) => row.id);
}
