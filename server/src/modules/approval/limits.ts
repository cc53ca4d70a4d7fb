import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { approvers, auditResults, positionOf, releaseCourse, targetOf } from '@mooring/contract/engines/approval/steps';
import { sql } from 'kysely';
import { z } from 'zod';
import { readAudit } from '../../engines/approval/apply.ts';
import { type Audit, auditRows } from '../../engines/approval/audit.ts';
import { noteRecord } from '../../engines/approval/record.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { notify } from '../message/api.ts';
import { placeOf, screenOf } from './links.ts';
import { subjectsFor } from './release-subject.ts';
import { ask } from './tell.ts';

export const HOUR = 3_600_000;
const MOST = 100;
interface Rule {
  readonly enabled: boolean;
  readonly hours1: number | null;
  readonly hours2: number | null;
  readonly hours3: number | null;
  readonly when_late: string;
}

/** The nearest rule at or above the owner of a release; none where it isn't approved any more, or by nobody's rule. */
async function ruleFor(db: Db, audit: Audit): Promise<Rule | undefined> {
  const { rows } = await sql<Rule>`
    select enabled, hours1, hours2, hours3, when_late from approval_config
    where task_type = ${audit.task_type} and dept_path = any(${pathsAbove(audit.dept_path)}::text[])
    order by length(dept_path) desc limit 1`.execute(db);
  return rows[0]?.enabled ? rows[0] : undefined;
}

/** Once three quarters of the time have passed, or an hour before it has, whichever comes later. */
export const warnAt = (from: Date, due: Date): Date => new Date(due.getTime() - Math.min((due.getTime() - from.getTime()) / 4, HOUR));

/**
 * Says by when a decision is due and what follows then, as the rule is when the step begins: whoever changes it later surprises nobody. Answers
 * how the approval stands then.
 */
export async function setDue(db: Db, audit: Audit): Promise<Audit> {
  const { stage, place } = positionOf(audit.step);
  if (!stage || releaseCourse.roleAt[place] === undefined || audit.due_at !== null) return audit;
  const rule = await ruleFor(db, audit);
  const hours = rule?.[`hours${stage}`];
  if (!rule || !hours) return audit;
  const due = new Date(audit.step_at.getTime() + hours * HOUR);
  const set = { due_at: due, warn_at: warnAt(audit.step_at, due), when_late: rule.when_late };
  await db.updateTable('approval_audit').set(set).where('id', '=', audit.id).where('step', '=', audit.step).execute();
  return { ...audit, ...set };
}

/** Nobody decided: it goes back to its author, as if it had been refused. What earlier stages agreed to stays done; nothing new goes out. */
async function expire(ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db, audit: Audit): Promise<boolean> {
  const subject = subjectsFor(ctx).of(audit.task_type);
  const to = targetOf(subject.course, audit.step, 'return');
  const now = ctx.now();
  if (!to || !(await subject.sendBack(db, audit.task_id, null))) return false;
  const set = { step_at: now, result: auditResults.rejected };
  if ((await move(db, auditRows, 'return', [audit.id], { to, set, actorId: null })).length === 0) return false;
  const said = { by: { id: 0, name: '' }, path: audit.dept_path, comment: '', way: 'console', now } as const;
  await noteRecord(db, audit, await readAudit(db, audit.id), 'expire', said);
  await notify(db, {
    name: 'approvalExpired',
    params: { task: audit.name },
    to: { users: [audit.author_id] },
    deptPath: audit.dept_path,
    priority: '1',
    link: screenOf('centre', placeOf(audit)),
  });
  await subject.changed(db, audit.task_id);
  await ctx.invalidate(db, '/task/audit', audit.dept_path);
  return true;
}

/** What is late is acted on once at its step: whoever decides is asked again, and told to whom the rule says, or it goes back. */
async function actOnLate(app: AppContext, ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db, audit: Audit): Promise<void> {
  await db.updateTable('approval_audit').set({ late_at: ctx.now(), warn_at: null }).where('id', '=', audit.id).execute();
  const outcome = audit.when_late ?? 'remind';
  // Where it was approved and only its result is to be confirmed, sending it back would undo that.
  const isResult = releaseCourse.roleAt[positionOf(audit.step).place] === approvers.customer;
  if (outcome === 'expire' && !isResult && (await expire(ctx, db, audit))) return;
  await ask(app, db, audit, subjectsFor(ctx), { name: 'approvalLate' });
  await ctx.invalidate(db, '/task/audit', audit.dept_path);
  if (outcome !== 'escalate') return;
  await notify(db, {
    name: 'approvalEscalated',
    params: { task: audit.name, author: audit.author_name },
    to: { above: audit.dept_path, can: 'settings:system:update' },
    deptPath: audit.dept_path,
    priority: '1',
    // Where the rules are kept, the time can be extended.
    link: screenOf('manager', placeOf(audit)),
  });
}

const decided = Object.keys(approvalMachine.byCode).filter((code) => releaseCourse.roleAt[positionOf(code).place] !== undefined);

/** Each of these once: whoever decides is warned while there is time left, and nobody is where it has passed meanwhile. */
async function warn(app: AppContext, ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db): Promise<void> {
  const soon = await db
    .selectFrom('approval_audit')
    .selectAll()
    .where('warn_at', '<=', ctx.now())
    .where('due_at', '>', ctx.now())
    .where('step', 'in', decided)
    .orderBy('warn_at')
    .orderBy('id')
    .limit(MOST)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const audit of soon) {
    await db.updateTable('approval_audit').set({ warn_at: null }).where('id', '=', audit.id).execute();
    await ask(app, db, audit, subjectsFor(ctx), { name: 'approvalSoon' });
  }
}

/** Decisions whose time has passed, or passes soon, at most so many a run. Running again finds them acted on. */
export const limitsJob = (app: AppContext) =>
  job({
    name: 'approval:limits',
    payload: z.object({}),
    every: '*/5 * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const late = await db
          .selectFrom('approval_audit')
          .selectAll()
          .where('due_at', '<=', ctx.now())
          .where('late_at', 'is', null)
          .where('step', 'in', decided)
          .orderBy('due_at')
          .orderBy('id')
          .limit(MOST)
          .forUpdate()
          .skipLocked()
          .execute();
        for (const audit of late) await actOnLate(app, ctx, db, audit);
        await warn(app, ctx, db);
      }),
  });
