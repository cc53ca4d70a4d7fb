import { type ApproverRole, approvers, positionOf, releaseCourse } from '@mooring/contract/engines/approval/steps';
import { taskGroups } from '@mooring/contract/engines/rollout/task-kind';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Asked, Refusals } from '../../engines/approval/subject.ts';
import type { Person, Standing } from '../../engines/approval/who.ts';
import { editorsOf, hasEnded, isCounted, ownersInOpenRings, taskToAgree } from '../../engines/rollout/approved.ts';
import { openGate, reject, sendBack } from '../../engines/rollout/gate.ts';
import { contentOfTask, hashOfContent } from '../../engines/rollout/task-content.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { actorOf, approversAt, approvesAs, isHandOf } from '../access/api.ts';
import type { Approvable, Approvables, DeclaredApproval } from './approvable.ts';
import { approvedKinds, kindOfType } from './kinds.ts';
import { placeOf, screenOf } from './links.ts';

const refusals: Refusals = {
  over: () => new Fault('APPROVAL_OVER'),
  own: () => new Fault('APPROVAL_OWN'),
  role: () => new Fault('APPROVAL_ROLE'),
  changed: () => new Fault('APPROVAL_CHANGED'),
};
const roleAt = (step: string) => releaseCourse.roleAt[positionOf(step).place];

/** By their roles: near the owner of a release, or of its terminals; the region says whether a result is right where nobody has any. */
async function decidersOf(db: Db, { step, path, owners }: Standing): Promise<readonly Asked[]> {
  const role = roleAt(step);
  if (role === undefined) return [];
  if (role !== approvers.customer) return approversAt(db, role, [path], true);
  return owners.length > 0 ? approversAt(db, role, owners, false) : approversAt(db, approvers.region, [path], true);
}

/** Whether a result is right is said on Customer, and by the region on Operations. */
const sidesOf = (step: string): readonly Platform[] => (roleAt(step) === approvers.customer ? ['manager', 'centre'] : ['centre']);

async function personNow(db: Db, userId: number, step: string, kind: string): Promise<{ person: Person; name: string } | undefined> {
  if (roleAt(step) === undefined) return undefined;
  const held = await approvesAs(db, userId);
  const roles = new Set<ApproverRole>();
  let found: Awaited<ReturnType<typeof actorOf>>;
  for (const side of sidesOf(step)) {
    const actor = await actorOf(db, userId, side);
    found ??= actor;
    const can = side === 'manager' ? 'approval:own:decide' : `approval:${kind}:decide`;
    if (!actor?.permissions.has(can)) continue;
    for (const role of held) if ((role === approvers.customer) === (side === 'manager')) roles.add(role);
  }
  return found && { person: { userId, path: found.deptPath, roles, applies: false }, name: found.userName };
}

/** Releases as the approval engine sees them: stage n opens ring n, the last one all that are left. */
function releaseOf(ctx: Pick<Ctx, 'invalidate'>, type: (typeof approvedKinds)[number]['type']): Approvable {
  const { of } = kindOfType(type);
  return {
    type,
    course: releaseCourse,
    refusals,
    mailsLinks: true,
    screenOf(audit, owners) {
      const place = placeOf(audit);
      const isCustomer = roleAt(audit.step) === approvers.customer && owners.length > 0;
      return { deciders: screenOf(isCustomer ? 'manager' : 'centre', place), authors: screenOf('centre', place) };
    },
    async words(_db, audit, name, params) {
      return { name, params: { ...params, task: audit.name, author: audit.author_name }, priority: '1' };
    },
    async contentOf(db, id) {
      const task = await taskToAgree(db, id);
      if (!task || task.kind !== of.kind) return undefined;
      const content = await contentOfTask(db, task);
      return { hash: hashOfContent(task, content), parts: { ...content } };
    },
    authorsOf: editorsOf,
    // With dual control, whoever has an author's account in their hands agrees to nothing of it.
    async mayAgree(db, _id, { said, authors, handedIn }) {
      if (await isHandOf(db, said.by.id, authors, { handedIn, now: said.now })) throw new Fault('CHANGE_ONE_HAND');
    },
    decidersOf: (db, { standing }) => decidersOf(db, standing),
    personNow: (db, userId, step) => personNow(db, userId, step, of.kind),
    async release(db, id, { stage, hash, said: { by, now } }) {
      const task = await taskToAgree(db, id);
      const rings = task?.delivery.rings.length ?? 0;
      return openGate(db, id, { gate: stage === 3 ? rings : stage, hash, by, now });
    },
    sendBack: (db, id, by) => sendBack(db, id, by?.said.by.id ?? null),
    end: (db, id, { by, now }) => reject(db, id, by.id, now),
    isPlaced: isCounted,
    hasEnded,
    ownersOf: ownersInOpenRings,
    async changed(db, id) {
      const task = await taskToAgree(db, id);
      if (task) for (const group of taskGroups(of)) await ctx.invalidate(db, group, task.dept_path);
    },
  };
}

function releaseIn(ctx: Pick<Ctx, 'invalidate'>, type: string): Approvable | undefined {
  const found = approvedKinds.find((one) => one.type === type);
  return found && releaseOf(ctx, found.type);
}
const unknown = (type: string) => new Error(`nothing of type ${type} is approved`);

/** Releases: what is decided here. */
export const subjectsFor = (ctx: Pick<Ctx, 'invalidate'>): Approvables => ({
  of(type) {
    const found = releaseIn(ctx, type);
    if (!found) throw unknown(type);
    return found;
  },
});

/** Releases and what other domains declare: what people are asked for. */
export const approvablesOf =
  (declared: readonly DeclaredApproval[]) =>
  (ctx: Ctx): Approvables => ({
    of(type) {
      const found = releaseIn(ctx, type) ?? declared.find((one) => one.type === type)?.subject(ctx);
      if (!found) throw unknown(type);
      return found;
    },
  });
export type ApprovablesOf = ReturnType<typeof approvablesOf>;
