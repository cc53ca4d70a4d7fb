import { releaseCourse } from '@mooring/contract/engines/approval/steps';
import { endFor, forget, handIn, voidStage } from '../../engines/approval/hand-in.ts';
import type { Said } from '../../engines/approval/subject.ts';
import type { ReleaseGate } from '../../engines/rollout/gate.ts';
import type { Task } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { rulesOf } from './config.ts';
import { freeGiven, givenFiles, namesOf } from './files.ts';
import { typeOfKind } from './kinds.ts';
import { screenOf } from './links.ts';
import { subjectsFor } from './release-subject.ts';
import { askSoon } from './tell.ts';

const saying = (ctx: Ctx, said: Pick<Said, 'comment' | 'files'> = { comment: '' }): Said => ({
  by: { id: ctx.actor.userId, name: ctx.actor.userName },
  path: ctx.scope.path,
  ...said,
  way: 'console',
  now: ctx.now(),
});

/** How releases of a kind wait for approval; undefined for kinds that are never asked about. */
export function gateOf(app: AppContext, kind: string): ReleaseGate | undefined {
  const type = typeOfKind(kind);
  if (!type) return undefined;
  const of = (task: Pick<Task, 'id'>) => ({ type, id: task.id, course: releaseCourse });
  return {
    coverage: (db, paths) => rulesOf(db, type, paths),
    async submitted(ctx, { id }, { comment, files: named }) {
      const content = await subjectsFor(ctx).of(type).contentOf(ctx.db, id);
      const task = await ctx.db.selectFrom('rollout_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      if (!content) return;
      const files = await givenFiles(ctx, named);
      const audit = await handIn(
        ctx.db,
        {
          type,
          id,
          course: releaseCourse,
          taskClass: task.task_class,
          name: task.name,
          author: { id: task.created_by, name: task.created_by_name },
          dept: { id: task.dept_id, path: task.dept_path },
        },
        content,
        saying(ctx, { comment, files }),
      );
      if (files.length > 0) ctx.audit({ after: namesOf(files) });
      await ctx.invalidate(ctx.db, '/task/audit', audit.dept_path);
      await askSoon(ctx, ctx.db, audit);
    },
    async edited(ctx, task) {
      await voidStage(ctx.db, of(task), saying(ctx));
      await ctx.invalidate(ctx.db, '/task/audit', task.dept_path);
    },
    async ended(db, task, how, by) {
      if (how === 'deleted') return forget(db, of(task), freeGiven(app, db));
      await endFor(db, of(task), { by, path: '', comment: '', way: 'console', now: app.now() }, how === 'finished');
    },
    async standing(db, task) {
      const audit = await db
        .selectFrom('approval_audit')
        .select(['id', 'step'])
        .where('task_type', '=', type)
        .where('task_id', '=', task.id)
        .executeTakeFirst();
      return audit
        ? { step: audit.step, screen: screenOf('centre', { type, taskClass: task.task_class, taskId: task.id, auditId: audit.id }) }
        : null;
    },
  };
}
