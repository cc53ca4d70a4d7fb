import { actOn } from '../../engines/approval/act.ts';
import { standingOf } from '../../engines/approval/audit.ts';
import type { Act, Person } from '../../engines/approval/who.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { onBehalfOf } from './absence.ts';
import type { ListedAudit } from './audits.queries.ts';
import { givenFiles, namesOf } from './files.ts';
import { personFor } from './person.ts';
import { auditFor, showAudit } from './read-audit.ts';
import { subjectsFor } from './release-subject.ts';
import { askSoon, tellAuthor } from './tell.ts';

interface Said {
  readonly taskAuditId: number;
  readonly comment: string;
  readonly files: readonly number[];
  readonly auditStep?: string;
  readonly contentHash?: string | undefined;
}

/** For whom they decide besides themselves; what applicants do is their own matter. */
async function absentFor(ctx: Ctx, db: Db, audit: ListedAudit, person: Person, act: Act): Promise<string[]> {
  if (act !== 'pass' && act !== 'refuse' && act !== 'return') return [];
  const subject = subjectsFor(ctx).of(audit.task_type);
  return onBehalfOf(db, subject, await standingOf(db, audit, subject), person, ctx.now());
}

/** One act by a person who is signed in. Read under the policy, decided past it: a region below decides on what a unit above owns. */
export async function decideOn(ctx: Ctx, act: Act, { taskAuditId, comment, files: named, auditStep, contentHash }: Said) {
  const files = await givenFiles(ctx, named);
  const { before, person } = await ctx.withScope(async (inner) => {
    const row = await auditFor(inner, { taskAuditId });
    return { before: row, person: await personFor(inner, row) };
  });
  const by = { id: ctx.actor.userId, name: ctx.actor.userName };
  await ctx.unscoped(async (db) => {
    const absent = await absentFor(ctx, db, before, person, act);
    const said = { by, path: ctx.scope.path, comment, files, way: 'console', onBehalfOf: absent, now: ctx.now() } as const;
    const after = await actOn(db, subjectsFor(ctx), person, { auditId: taskAuditId, act, step: auditStep, hash: contentHash, said });
    await askSoon(ctx, db, after);
    await tellAuthor(db, before, after, by.name, comment);
    await ctx.invalidate(db, '/task/audit', after.dept_path);
    ctx.audit({
      target: after.name,
      before: { step: before.step },
      after: {
        step: after.step,
        act,
        contentHash: after.content_hash,
        ...(absent.length > 0 ? { onBehalfOf: absent } : {}),
        ...namesOf(files),
      },
    });
  });
  return ctx.withScope((inner) => showAudit(inner, { taskAuditId }));
}

export const passOrRefuse = (ctx: Ctx, { decision, ...said }: Said & { readonly decision: '0' | '1' }) =>
  decideOn(ctx, decision === '0' ? 'pass' : 'refuse', said);
