import type { approvalCalls } from '@mooring/contract/approval/calls';
import { LIMIT_HOURS } from '@mooring/contract/approval/config-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Audit } from '../../engines/approval/audit.ts';
import { noteRecord } from '../../engines/approval/record.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { HOUR, warnAt } from './limits.ts';
import { placeOf, screenOf } from './links.ts';
import { mayExtend } from './person.ts';
import { auditFor, showAudit } from './read-audit.ts';
import { subjectsFor } from './release-subject.ts';
import { ask } from './tell.ts';

/** A later time than the one that counts, ahead of now, and no longer than a rule may give. */
function checkDue(due: Date, before: Date, now: Date): void {
  if (due > before && due > now && due.getTime() <= now.getTime() + LIMIT_HOURS * HOUR) return;
  throw new Fault('APPROVAL_DUE', { fields: { dueAt: 'fault.APPROVAL_DUE' } });
}

const tellAuthor = (db: Db, audit: Audit, by: string, comment: string) =>
  notify(db, {
    name: 'approvalExtended',
    params: { task: audit.name, by, comment },
    to: { users: [audit.author_id] },
    deptPath: audit.dept_path,
    link: screenOf('centre', placeOf(audit)),
  });

/** Who decides has longer: the history says till when and why. A decision that is late already isn't any more. */
export const extendLimit =
  (app: AppContext): Handler<typeof approvalCalls.extend> =>
  async (ctx, { taskAuditId, auditStep, dueAt, comment }) => {
    await ctx.withScope((inner) => auditFor(inner, { taskAuditId }));
    // Past the policy, as decisions are: those who are asked may stand elsewhere.
    await ctx.unscoped(async (db) => {
      const before = await db.selectFrom('approval_audit').selectAll().where('id', '=', taskAuditId).forUpdate().executeTakeFirst();
      if (!before) throw fault('NOT_FOUND');
      if (before.step !== auditStep) throw fault('OVERTAKEN');
      if (before.due_at === null) throw new Fault('APPROVAL_NO_LIMIT');
      // A release of a unit above is seen from below, and its time is none of theirs.
      if (!mayExtend(ctx, before)) throw fault('FORBIDDEN');
      const due = new Date(dueAt);
      checkDue(due, before.due_at, ctx.now());
      const set = { due_at: due, warn_at: warnAt(ctx.now(), due), late_at: null };
      await db.updateTable('approval_audit').set(set).where('id', '=', before.id).execute();
      const after = { ...before, ...set };
      const by = { id: ctx.actor.userId, name: ctx.actor.userName };
      const said = { by, path: ctx.scope.path, comment, way: 'console', dueAt: due, now: ctx.now() } as const;
      await noteRecord(db, before, after, 'extend', said);
      await ask(app, db, after, subjectsFor(ctx), { name: 'approvalExtended', params: { by: by.name, comment } });
      await tellAuthor(db, after, by.name, comment);
      await ctx.invalidate(db, '/task/audit', after.dept_path);
      ctx.audit({ target: after.name, before: { dueAt: before.due_at }, after: { dueAt: due, comment } });
    });
    return ctx.withScope((inner) => showAudit(inner, { taskAuditId }));
  };
