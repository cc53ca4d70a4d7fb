import type { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { approvers, positionOf, releaseCourse } from '@mooring/contract/engines/approval/steps';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { actOn } from '../../engines/approval/act.ts';
import { standingOf } from '../../engines/approval/audit.ts';
import { holdsStep, isOver, type Person } from '../../engines/approval/who.ts';
import { readingFleet } from '../../engines/rollout/fleet-turn.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { homeOf } from '../../platform/unproven.ts';
import { countUp } from '../auth/api.ts';
import { fileToken } from '../file/api.ts';
import { isStoodInFor, standsInFor } from './absence.ts';
import { auditsWithDept, type ListedAudit } from './audits.queries.ts';
import { detailOf } from './content.ts';
import { givenTo } from './files.ts';
import { typeIsOfReleases } from './kinds.ts';
import { type Beside, fitsBeside, headOf } from './read-audit.ts';
import { subjectsFor } from './release-subject.ts';
import { configOf, devicesOf, recordsOf } from './show.ts';
import { askSoon, hashOfSign, tellAuthor } from './tell.ts';

type Calls = typeof approvalEmailCalls;
interface Signed extends Beside {
  readonly taskAuditId: number;
  readonly auditUserId: number;
  readonly sign: string;
}
interface Opened {
  readonly audit: ListedAudit;
  readonly person: Person;
  readonly name: string;
  readonly onBehalfOf: readonly string[];
  readonly signId: number;
  readonly expiresAt: Date;
}
const MINUTES = 15;
const WRONG = 30;
/** Of the address of a file: it is fetched at once. */
const FILE_SECONDS = 60;
const over = () => new Fault('APPROVAL_LINK');

/**
 * What a link opens, while it is the one that was sent: to this person, for the step and the content that stand there now, not used, not too old,
 * and only as long as the person would decide. Whatever is wrong with it, the answer is the same.
 */
async function open(ctx: Ctx, db: Db, { taskAuditId, auditUserId, sign, ...besides }: Signed): Promise<Opened | undefined> {
  const found = await db.selectFrom('approval_sign').selectAll().where('sign_hash', '=', hashOfSign(sign)).forUpdate().executeTakeFirst();
  if (!found || found.used_at || found.expires_at <= ctx.now() || found.user_id !== auditUserId || found.audit_id !== taskAuditId)
    return undefined;
  const audit = await auditsWithDept(db).where('a.id', '=', taskAuditId).executeTakeFirst();
  if (!audit || audit.step !== found.step || audit.content_hash !== found.content_hash || !fitsBeside(audit, besides)) return undefined;
  // A server of the version before mailed links to whatever waits.
  if (!typeIsOfReleases(audit.task_type)) return undefined;
  const subject = subjectsFor(ctx).of(audit.task_type);
  const now = await subject.personNow(db, auditUserId, audit.step);
  const standing = await standingOf(db, audit, subject);
  if (!now || isOver(standing) || standing.authors.has(auditUserId) || !holdsStep(standing, now.person)) return undefined;
  if (await isStoodInFor(db, subject, standing, auditUserId, ctx.now())) return undefined;
  const onBehalfOf = await standsInFor(db, subject, standing, auditUserId, ctx.now());
  return { audit, ...now, onBehalfOf, signId: found.id, expiresAt: found.expires_at };
}

/** A sign has 256 bits; this only keeps somebody who tries from keeping the database busy. */
async function withLink<T>(ctx: Ctx, signed: Signed, work: (db: Db, opened: Opened) => Promise<T>): Promise<T> {
  const done = await ctx.unscoped(async (db) => {
    const opened = await open(ctx, db, signed);
    return opened && { value: await work(db, opened) };
  });
  if (done) return done.value;
  const wrong = await ctx.unscoped((db) => countUp(db, `approval-from:${homeOf(ctx.ip)}`, MINUTES));
  throw wrong > WRONG ? fault('TOO_MANY', { seconds: MINUTES * 60 }) : over();
}

export function emailRoutes(app: AppContext, kinds: readonly RolloutKind[]): { readonly [K in keyof Calls]: Handler<Calls[K]> } {
  return {
    baseInfo: (ctx, input) =>
      withLink(ctx, input, async (_db, { audit, name, onBehalfOf, expiresAt }) => ({
        ...headOf(audit, ctx.now()),
        approver: name,
        standsInFor: [...onBehalfOf],
        expiresAt,
        asksCustomer: releaseCourse.roleAt[positionOf(audit.step).place] === approvers.customer,
      })),
    detailInfo: (ctx, input) => withLink(ctx, input, (db, { audit, person }) => detailOf(db, audit, person.path)),
    async deviceList(ctx, input) {
      const { audit, person } = await withLink(ctx, input, async (_db, opened) => opened);
      // Whoever reads for long doesn't hold the link meanwhile.
      return readingFleet(person.userId, () => ctx.unscoped((db) => devicesOf(db, kinds, audit, person.path)));
    },
    result: (ctx, input) => withLink(ctx, input, (db, { audit, person }) => recordsOf(db, audit, person.path)),
    file: (ctx, { fileId, ...signed }) =>
      withLink(ctx, signed, async (db, { audit, person, name }) => {
        const given = await givenTo(db, { auditId: audit.id, fileId, path: person.path });
        if (!given) throw fault('NOT_FOUND');
        ctx.audit({ target: audit.name, actor: { userId: person.userId, userName: name }, after: { file: given.name } });
        return fileToken(ctx, app, fileId, FILE_SECONDS);
      }),
    configByTask: (ctx, input) => withLink(ctx, input, async () => configOf(true)),
    config: (ctx, input) => withLink(ctx, input, async () => configOf(true)),
    auditResult: (ctx, input) =>
      withLink(ctx, input, async (db, { audit, person, name, onBehalfOf, signId }) => {
        // Used by whichever comes first, and only if what it decides comes about.
        await db.updateTable('approval_sign').set({ used_at: ctx.now() }).where('id', '=', signId).execute();
        const by = { id: person.userId, name };
        const said = { by, path: person.path, comment: input.comment, way: 'email', onBehalfOf, now: ctx.now() } as const;
        const act = input.decision === '0' ? 'pass' : 'refuse';
        const after = await actOn(db, subjectsFor(ctx), person, {
          auditId: audit.id,
          act,
          step: audit.step,
          hash: input.contentHash,
          said,
        });
        await askSoon(ctx, db, after);
        await tellAuthor(db, audit, after, name, input.comment);
        await ctx.invalidate(db, '/task/audit', after.dept_path);
        ctx.audit({
          target: after.name,
          actor: { userId: by.id, userName: name },
          before: { step: audit.step },
          after: { step: after.step, act, contentHash: after.content_hash, ...(onBehalfOf.length > 0 ? { onBehalfOf } : {}) },
        });
        return { step: after.step };
      }),
  };
}
