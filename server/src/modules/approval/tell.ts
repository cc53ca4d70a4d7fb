import { createHash, randomBytes } from 'node:crypto';
import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { approvers, decidedSteps, LAST, positionOf } from '@mooring/contract/engines/approval/steps';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Audit, standingOf } from '../../engines/approval/audit.ts';
import type { Asked } from '../../engines/approval/subject.ts';
import { isOver, type Standing } from '../../engines/approval/who.ts';
import type { AppContext } from '../../platform/app-context.ts';
import { originForMail } from '../../platform/config/public-origin.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { mail } from '../../platform/mail/mail.ts';
import { sendsOf } from '../../platform/mail/settings.ts';
import { job } from '../../platform/module.ts';
import { momentFor } from '../../platform/texts/moment.ts';
import { t } from '../../platform/texts/translate.ts';
import { notify } from '../message/api.ts';
import { absentAmong, wouldDecide } from './absence.ts';
import type { Approvable, Approvables, Asking } from './approvable.ts';
import { typeIsOfReleases } from './kinds.ts';
import { mailScreenOf, placeOf, screenOf } from './links.ts';
import type { ApprovablesOf } from './release-subject.ts';

const DAY = 86_400_000;
const LINK_DAYS = 7;
const REMIND_DAYS = 2;
const MOST = 100;
/** Approved for good, it stands at the last step. As an index has it, and without values: a plan that was kept knows it by that alone. */
const isUndecided = sql<boolean>`not (step = ${sql.lit(LAST)} and result = '1')`;
export const hashOfSign = (sign: string) => createHash('sha256').update(`approval:${sign}`).digest();

/** The words of a step in a language. */
export const stepWords = (lang: string, code: string): string => t(lang, `life.approval.${approvalMachine.byCode[code] ?? 'ended'}`);

/** Who decides at the step that it stands at, nobody who wrote or submitted it; undefined where nothing waits for a decision. */
async function decidersOf(db: Db, audit: Audit, subject: Approvable, standing: Standing, now: Date): Promise<Asked[] | undefined> {
  if (subject.course.roleAt[positionOf(audit.step).place] === undefined || isOver(standing)) return undefined;
  const found = await subject.decidersOf(db, { id: audit.task_id, standing });
  if (!found) return undefined;
  const asked = found.filter((one) => !standing.authors.has(one.id));
  const absent = await absentAmong(
    db,
    asked.map((one) => one.id),
    now,
  );
  // Who is away isn't asked while their delegate is; where that one couldn't decide, they are.
  const away = new Set<number>();
  for (const one of absent) if (await wouldDecide(db, subject, one.delegate_id, standing)) away.add(one.user_id);
  return asked.filter((one) => !away.has(one.id));
}

const ASK = 'approval:ask';
/** A server of the version before would take these for releases, and ask whoever approves those. */
const ASK_OTHERS = 'approval:askOthers';
const askName = (type: string) => (typeIsOfReleases(type) ? ASK : ASK_OTHERS);
export const askSoon = (ctx: Pick<Ctx, 'enqueue'>, db: Db, audit: Audit): Promise<void> =>
  ctx.enqueue(db, askName(audit.task_type), { id: audit.id });

/** Nobody can decide: no time runs, and its author and whoever keeps the rules hear of it, once at a step. */
async function tellUnheard(db: Db, audit: Audit, link: string): Promise<void> {
  await db.updateTable('approval_audit').set({ due_at: null, warn_at: null, when_late: null }).where('id', '=', audit.id).execute();
  if (audit.asked_at !== null && audit.asked_at >= audit.step_at) return;
  const said = { name: 'approvalUnheard', params: { task: audit.name }, deptPath: audit.dept_path, priority: '1' } as const;
  await notify(db, { ...said, to: { users: [audit.author_id] }, link });
  await notify(db, { ...said, to: { above: audit.dept_path, can: 'settings:system:update' }, link });
}

interface AskOptions {
  readonly name?: Asking;
  /** What its words name besides the release and its author. */
  readonly params?: Readonly<Record<string, string>>;
  readonly only?: ReadonlySet<number>;
}
const mails = { approvalSoon: 'approvalSoon', approvalExtended: 'approvalExtended' } as const;

/** Asks those who decide, or of them only some: in the console, and by a mail whose link is theirs alone. */
export async function ask(
  app: AppContext,
  db: Db,
  audit: Audit,
  approvables: Approvables,
  { name = 'approvalWaits', params = {}, only }: AskOptions = {},
): Promise<void> {
  const subject = approvables.of(audit.task_type);
  const standing = await standingOf(db, audit, subject);
  const deciders = await decidersOf(db, audit, subject, standing, app.now());
  const people = only ? deciders?.filter((one) => only.has(one.id)) : deciders;
  if (only && !people?.length) return;
  const screen = subject.screenOf(audit, standing.owners);
  if (people?.length === 0) await tellUnheard(db, audit, screen.authors);
  if (!only) await db.updateTable('approval_audit').set({ asked_at: app.now() }).where('id', '=', audit.id).execute();
  if (!people) return;
  if (people.length === 0) return;
  await notify(db, {
    ...(await subject.words(db, audit, name, params)),
    to: { users: people.map((one) => one.id) },
    deptPath: audit.dept_path,
    link: screen.deciders,
  });
  if (!subject.mailsLinks) return;
  const origin = originForMail(app.config);
  if (origin !== undefined && (await sendsOf(app, db)).email)
    for (const one of people) await mailLink(app, db, audit, one, { origin, name });
}

async function mailLink(
  app: AppContext,
  db: Db,
  audit: Audit,
  one: Asked,
  { origin, name }: { readonly origin: string; readonly name: Asking },
): Promise<void> {
  if (!one.email) return;
  const usual = new Date(app.now().getTime() + LINK_DAYS * DAY);
  // One that goes back to its author when its time has passed isn't open for longer.
  const expires = audit.when_late === 'expire' && audit.due_at && audit.due_at < usual ? audit.due_at : usual;
  const sign = randomBytes(32).toString('base64url');
  await db
    .insertInto('approval_sign')
    .values({
      sign_hash: hashOfSign(sign),
      audit_id: audit.id,
      user_id: one.id,
      step: audit.step,
      content_hash: audit.content_hash,
      expires_at: expires,
      dept_path: audit.dept_path,
    })
    .execute();
  const lang = one.language ?? 'en';
  const moment = (at: Date) => momentFor(at, lang, one.time_zone ?? 'UTC');
  await mail(db, {
    to: one.email,
    lang,
    template: name in mails ? mails[name as keyof typeof mails] : 'approval',
    params: {
      task: audit.name,
      author: audit.author_name,
      step: stepWords(lang, audit.step),
      link: `${origin}${mailScreenOf(placeOf(audit), one.id, sign)}`,
      due: audit.due_at ? moment(audit.due_at) : '–',
      until: moment(expires),
    },
    sealWith: app.masterKey,
    userId: one.id,
    deptPath: one.dept_path,
  });
}

const SOON_MS = 3000;
const PATIENCE_MS = 600_000;
/** Whoever has the terminals is asked, and for a few seconds nobody knows who that is. */
async function isTooEarly(db: Db, audit: Audit, subject: Approvable, now: Date): Promise<boolean> {
  if (subject.course.roleAt[positionOf(audit.step).place] !== approvers.customer) return false;
  if (now.getTime() - audit.step_at.getTime() > PATIENCE_MS) return false;
  return !(await subject.isPlaced(db, audit.task_id));
}

type WithDue = (db: Db, audit: Audit) => Promise<Audit>;
/** Running again finds that they were asked since it came to this step. `withDue` says how long they have. */
const askJob = (name: string, app: AppContext, approvables: ApprovablesOf, withDue: WithDue) =>
  job({
    name,
    payload: z.object({ id: z.int() }),
    run: (ctx, { id }) =>
      ctx.unscoped(async (db) => {
        const audit = await db.selectFrom('approval_audit').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (!audit) return;
        const found = approvables(ctx);
        if (await isTooEarly(db, audit, found.of(audit.task_type), ctx.now())) {
          await ctx.enqueue(db, name, { id }, { runAt: new Date(ctx.now().getTime() + SOON_MS) });
          return;
        }
        const due = await withDue(db, audit);
        if (audit.asked_at === null || audit.asked_at < audit.step_at) await ask(app, db, due, found);
      }),
  });

export const askJobs = (...of: [AppContext, ApprovablesOf, WithDue]) => [askJob(ASK, ...of), askJob(ASK_OTHERS, ...of)];

const ASK_AGAIN = 'approval:askAgain';
/** Those who weren't asked because somebody stood in for them, and now, or from a moment on, nobody does. */
export const askAgain = (ctx: Pick<Ctx, 'enqueue' | 'now'>, db: Db, userIds: readonly number[], runAt?: Date): Promise<void> =>
  ctx.enqueue(db, ASK_AGAIN, { userIds, at: (runAt ?? ctx.now()).toISOString() }, runAt ? { runAt } : {});

/** They are asked for whatever waits for them then, the oldest first. Running again asks again. */
export const askAgainJob = (app: AppContext, approvables: ApprovablesOf) =>
  job({
    name: ASK_AGAIN,
    // The moment is part of what it is about: a later one replaces none that comes before.
    payload: z.object({ userIds: z.array(z.int()), at: z.iso.datetime() }),
    run: (ctx, { userIds }) =>
      ctx.unscoped(async (db) => {
        const waiting = await db
          .selectFrom('approval_audit')
          .selectAll()
          .where('step', 'in', decidedSteps)
          .where(isUndecided)
          .orderBy('step_at')
          .limit(MOST)
          .execute();
        for (const audit of waiting) await ask(app, db, audit, approvables(ctx), { only: new Set(userIds) });
      }),
  });

/** Who hasn't decided for two days is asked again, at most so many approvals an hour. Running again finds them asked. */
export const remindJob = (app: AppContext, approvables: ApprovablesOf) =>
  job({
    name: 'approval:remind',
    payload: z.object({}),
    every: '23 * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const waiting = await db
          .selectFrom('approval_audit')
          .selectAll()
          .where('step', 'in', decidedSteps)
          .where(isUndecided)
          .where('asked_at', '<', new Date(ctx.now().getTime() - REMIND_DAYS * DAY))
          .orderBy('asked_at')
          .limit(MOST)
          .forUpdate()
          .skipLocked()
          .execute();
        for (const audit of waiting) await ask(app, db, audit, approvables(ctx));
      }),
  });

/** Its author hears that it came back, or that the next stage can begin. */
export async function tellAuthor(db: Db, before: Audit, after: Audit, by: string, comment: string): Promise<void> {
  const { place } = positionOf(after.step);
  if (after.step === before.step || (place !== 'returned' && place !== 'verified')) return;
  await notify(db, {
    name: place === 'returned' ? 'approvalReturned' : 'approvalVerified',
    params: { task: after.name, by, comment: comment || '–' },
    to: { users: [after.author_id] },
    deptPath: after.dept_path,
    priority: '1',
    link: screenOf('centre', placeOf(after)),
  });
}
