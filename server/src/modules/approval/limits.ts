import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { approvers, positionOf, roleAt } from '@mooring/contract/engines/approval/steps';
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
import { screenOf } from './links.ts';
import { subjectsFor } from './release-subject.ts';
import { ask, placeOf } from './tell.ts';

const HOUR = 3_600_000;
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

/** Says by when a decision is due, as the rule is when the step begins: whoever shortens it later surprises nobody. */
export async function setDue(db: Db, audit: Audit): Promise<void> {
  const { stage, place } = positionOf(audit.step);
  if (!stage || roleAt[place] === undefined) return;
  const hours = (await ruleFor(db, audit))?.[`hours${stage}`];
  if (!hours) return;
  await db
    .updateTable('approval_audit')
    .set({ due_at: new Date(audit.step_at.getTime() + hours * HOUR) })
    .where('id', '=', audit.id)
    .where('step', '=', audit.step)
    .execute();
}

/** Nobody decided: it ends without an approval. What is done stays done; terminals that wait get nothing. */
async function expire(ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db, audit: Audit): Promise<boolean> {
  const subject = subjectsFor(ctx).of(audit.task_type);
  const now = ctx.now();
  const end = () => subject.end(db, audit.task_id, null, now);
  // One that already runs, for its sample, is held first.
  if (!(await end()) && !((await subject.sendBack(db, audit.task_id, null)) && (await end()))) return false;
  const set = { step_at: now, result: audit.result };
  if ((await move(db, auditRows, 'end', [audit.id], { to: 'ended', set, actorId: null })).length === 0) return false;
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

/** What is late is acted on once at its step: whoever decides is asked again, and told to whom the rule says, or it ends. */
async function actOnLate(app: AppContext, ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db, audit: Audit): Promise<void> {
  await db.updateTable('approval_audit').set({ late_at: ctx.now() }).where('id', '=', audit.id).execute();
  const outcome = (await ruleFor(db, audit))?.when_late ?? 'remind';
  // Where the release already runs and only its result is to be confirmed, ending it would undo what was approved.
  const isResult = roleAt[positionOf(audit.step).place] === approvers.customer;
  if (outcome === 'expire' && !isResult && (await expire(ctx, db, audit))) return;
  await ask(app, db, audit, subjectsFor(ctx), 'approvalLate');
  await ctx.invalidate(db, '/task/audit', audit.dept_path);
  if (outcome !== 'escalate') return;
  await notify(db, {
    name: 'approvalEscalated',
    params: { task: audit.name, author: audit.author_name },
    to: { above: audit.dept_path, can: 'settings:system:update' },
    deptPath: audit.dept_path,
    priority: '1',
    link: screenOf('centre', placeOf(audit)),
  });
}

const decided = Object.keys(approvalMachine.byCode).filter((code) => roleAt[positionOf(code).place] !== undefined);

/** Decisions whose time has passed, at most so many a run. Running again finds them acted on. */
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
      }),
  });
