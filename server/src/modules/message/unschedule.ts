import { noticeMachine } from '@mooring/contract/message/state-machines';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { notify } from './notify.ts';

const rows = statefulTable('message_notice', noticeMachine);
interface Unit {
  readonly id: number;
  readonly name: string;
  readonly dept_path: string;
}

/** Notices that wait for their time and are for an organisation that ends: whoever they would reach then, nobody chose. They are drafts again. */
export async function unscheduleOf(ctx: Ctx, db: Db, unit: Unit, target: Unit): Promise<void> {
  const concerned = sql`state = 'scheduled' and (${unit.id}::bigint = any(dept_ids) or (dept_id = ${unit.id} and recipients <> 'users'))`;
  const moved = await move(db, rows, 'cancel', concerned, { actorId: ctx.actor.userId });
  await sql`update message_notice set dept_ids = case when ${target.id}::bigint = any(dept_ids) then array_remove(dept_ids, ${unit.id}::bigint)
    else array_replace(dept_ids, ${unit.id}::bigint, ${target.id}::bigint) end where ${unit.id}::bigint = any(dept_ids) and state in ('draft', 'scheduled')`.execute(
    db,
  );
  for (const { id } of moved) {
    const { title, dept_path } = await db
      .selectFrom('message_notice')
      .select(['title', 'dept_path'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await ctx.invalidate(db, '/notice', dept_path);
    const above = dept_path === unit.dept_path ? target.dept_path : dept_path;
    await notify(db, {
      name: 'noticeUnscheduled',
      params: { title, source: unit.name, target: target.name },
      to: { above, can: 'notice:notice:publish' },
      deptPath: above,
      link: '/notice',
    });
  }
}
