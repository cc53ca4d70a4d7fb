import { approvalCalls } from '@mooring/contract/approval/calls';
import { type ApproverRole, approvers, positionOf, releaseCourse } from '@mooring/contract/engines/approval/steps';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { isAllowed } from '@mooring/contract/kit/permission';
import { type Audit, standingOf } from '../../engines/approval/audit.ts';
import { type Act, actsOf, type Person } from '../../engines/approval/who.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { approvesAs } from '../access/api.ts';
import { standsInFor } from './absence.ts';
import { approvedKinds, kindOfType } from './kinds.ts';
import { subjectsFor } from './release-subject.ts';

const decidePermission = (kind: string) => `approval:${kind}:decide`;

/** What somebody's roles decide on releases of a type, as far as their permissions go. */
export async function rolesFor(ctx: Ctx, type: string): Promise<ReadonlySet<ApproverRole>> {
  const roles = await ctx.readOnly((db) => approvesAs(db, ctx.actor.userId, ctx.scope.platform));
  const { of } = kindOfType(type);
  const may = (role: ApproverRole) =>
    ctx.actor.permissions.has(role === approvers.customer ? 'approval:own:decide' : decidePermission(of.kind));
  return new Set([...roles].filter(may));
}

/** Types whose approvals the person sees here: on Customer there is one list of all. */
export const typesSeen = (ctx: Ctx): string[] =>
  approvedKinds
    .filter(({ of }) =>
      ctx.scope.platform === 'centre'
        ? ctx.actor.permissions.has(`approval:${of.kind}:page`)
        : ctx.actor.permissions.has('approval:own:page'),
    )
    .map(({ type }) => type);

export async function personFor(ctx: Ctx, audit: Audit): Promise<Person> {
  const { of } = kindOfType(audit.task_type);
  return {
    userId: ctx.actor.userId,
    path: ctx.scope.path,
    roles: await rolesFor(ctx, audit.task_type),
    applies: ctx.actor.permissions.has(taskPermission(of, 'enable')) && audit.dept_path.startsWith(ctx.scope.path),
  };
}

/** Whoever keeps the rules of the release's organisation may give those who decide longer, where a time runs. */
export const mayExtend = (ctx: Pick<Ctx, 'actor' | 'scope'>, audit: Audit): boolean =>
  audit.due_at !== null && isAllowed(ctx.actor.permissions, approvalCalls.extend.can) && audit.dept_path.startsWith(ctx.scope.path);

/** The names of the calls by which the acts are done. */
const callOf = (step: string, act: Act): string => {
  if (act === 'return') return 'returnToUpdate';
  if (act !== 'pass' && act !== 'refuse') return act;
  const role = releaseCourse.roleAt[positionOf(step).place];
  if (role === approvers.customer) return 'resultConfirm';
  return role === approvers.region ? 'confirm' : 'auditResult';
};

export async function actionsFor(
  ctx: Ctx,
  db: Db,
  audit: Audit,
  person: Person,
): Promise<{ acts: string[]; mine: boolean; standsInFor: string[] }> {
  const subject = subjectsFor(ctx).of(audit.task_type);
  const standing = await standingOf(db, audit, subject);
  const acts = actsOf(standing, person);
  const mine = acts.includes('pass');
  return {
    acts: [...new Set(acts.map((act) => callOf(audit.step, act))), ...(mayExtend(ctx, audit) ? ['extend'] : [])],
    mine,
    standsInFor: mine ? await standsInFor(db, subject, standing, person.userId, ctx.now()) : [],
  };
}
