import { taskGroups } from '@mooring/contract/engines/rollout/task-kind';
import type { Subject, Subjects } from '../../engines/approval/subject.ts';
import { isCounted, ownersInOpenRings, taskToAgree } from '../../engines/rollout/approved.ts';
import { openGate, reject, sendBack } from '../../engines/rollout/gate.ts';
import { contentOfTask, hashOfContent } from '../../engines/rollout/task-content.ts';
import type { Ctx } from '../../platform/context.ts';
import { approvedKinds, kindOfType } from './kinds.ts';

/** Releases as the approval engine sees them: stage n opens ring n, the last one all that are left. */
function releaseOf(ctx: Pick<Ctx, 'invalidate'>, type: (typeof approvedKinds)[number]['type']): Subject {
  const { of } = kindOfType(type);
  return {
    type,
    async contentOf(db, id) {
      const task = await taskToAgree(db, id);
      if (!task || task.kind !== of.kind) return undefined;
      const content = await contentOfTask(db, task);
      return { hash: hashOfContent(task, content), parts: { ...content } };
    },
    async release(db, id, { stage, hash, by, now }) {
      const task = await taskToAgree(db, id);
      const rings = task?.delivery.rings.length ?? 0;
      return openGate(db, id, { gate: stage === 3 ? rings : stage, hash, by, now });
    },
    sendBack: (db, id, by) => sendBack(db, id, by?.id ?? null),
    end: (db, id, by, now) => reject(db, id, by.id, now),
    isPlaced: isCounted,
    ownersOf: ownersInOpenRings,
    async changed(db, id) {
      const task = await taskToAgree(db, id);
      if (task) for (const group of taskGroups(of)) await ctx.invalidate(db, group, task.dept_path);
    },
  };
}

export const subjectsFor = (ctx: Pick<Ctx, 'invalidate'>): Subjects => ({
  of(type) {
    const found = approvedKinds.find((one) => one.type === type);
    if (!found) throw new Error(`nothing of type ${type} is approved`);
    return releaseOf(ctx, found.type);
  },
});
