import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { reviewCourse, taskTypes } from '@mooring/contract/engines/approval/steps';
import { fault } from '@mooring/contract/kit/fault';
import type { Audit } from '../../engines/approval/audit.ts';
import { checkKept } from '../../engines/approval/files.ts';
import { endFor, findAudit, follow, handIn, voidStage } from '../../engines/approval/hand-in.ts';
import type { Content, Said } from '../../engines/approval/subject.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { askSoon, namesOf } from '../approval/api.ts';
import { audienceOf, hashedOf } from './content-hash.ts';
import {
  approved,
  awaiting,
  changed,
  delisted,
  draft,
  nameIn,
  redrafted,
  rejected,
  reviewRows,
  shortName,
  targetOf,
  type VersionRow,
} from './version-rows.ts';

type Event = keyof typeof reviewRows.machine.events & string;
export type Words = Pick<Said, 'comment' | 'files' | 'onBehalfOf'>;

export const ofVersion = ({ id }: Pick<VersionRow, 'id'>) => ({ type: taskTypes.app, id, course: reviewCourse });
const { states } = approvalMachine;
export const waits = states.market3.code;
/** Where the approval of a version stands, by the state of its review. */
const steps: Readonly<Record<string, string>> = {
  [draft]: states.application3.code,
  [awaiting]: waits,
  [approved]: states.result3.code,
  [rejected]: states.returned3.code,
  [delisted]: states.ended.code,
};

export const saying = (ctx: Ctx, { comment, files = [], onBehalfOf = [] }: Words = { comment: '' }): Said => ({
  by: { id: ctx.actor.userId, name: ctx.actor.userName },
  path: ctx.scope.path,
  comment,
  files,
  way: 'console',
  onBehalfOf,
  now: ctx.now(),
});

export const decidedBy = ({ by, comment, now }: Said) => ({ decided_by_id: by.id, decided_by: by.name, decided_at: now, comment });

/** One step of the review of a version, with who took it and what they said. */
export async function step(
  ctx: Ctx,
  db: Db,
  row: VersionRow,
  event: Event,
  set: Record<string, unknown>,
  { comment, files = [], onBehalfOf = [] }: Words = { comment: '' },
): Promise<void> {
  const absent = onBehalfOf.length > 0 ? { onBehalfOf } : {};
  const detail = { by: ctx.actor.userName, text: comment, ...absent, ...(files.length > 0 ? { files: files.map(({ id }) => id) } : {}) };
  const moved = await move(db, reviewRows, event, [row.id], { actorId: ctx.actor.userId, set, detail });
  if (moved.length === 0) throw fault('OVERTAKEN');
  const noted = { ...(comment === '' ? {} : { comment, ...absent }), ...namesOf(files) };
  ctx.audit({ target: targetOf(row), ...(Object.keys(noted).length > 0 ? { after: noted } : {}) });
  await db.updateTable('app_app').set({ updated_at: ctx.now() }).where('id', '=', row.app_id).execute();
}

/** What is agreed to, with what its hash is of. */
export const contentOf = async (db: Db, row: VersionRow): Promise<Content> => {
  const { hash, parts } = hashedOf(row, await audienceOf(db, row.id));
  return { hash, parts: { ...parts, name: `${nameIn(row)} ${shortName(row)}` } };
};

const enter = (db: Db, row: VersionRow, content: Content, said: Said): Promise<Audit> =>
  handIn(
    db,
    {
      ...ofVersion(row),
      taskClass: '1',
      name: `${nameIn(row)} ${shortName(row)}`,
      author: said.by,
      dept: { id: row.dept_id, path: row.dept_path },
    },
    content,
    said,
  );

const submittedBy = (ctx: Ctx, row: VersionRow): Said => ({
  ...saying(ctx),
  by: { id: row.submitted_by_id ?? 0, name: row.submitted_by },
  path: row.dept_path,
  now: row.submitted_at ?? ctx.now(),
});
/** Who changed it last, and their name where the version has it. */
const editedBy = (ctx: Ctx, row: VersionRow): Said => {
  const id = row.edited_by_id ?? 0;
  const known = [
    [row.submitted_by_id, row.submitted_by],
    [row.created_by_id, row.created_by],
  ] as const;
  const name = known.find(([person]) => person === id)?.[1] ?? '';
  return { ...saying(ctx), by: { id, name }, path: row.dept_path, now: row.edited_at };
};
/** Who decided last, by what the version says. */
const judgedBy = (ctx: Ctx, row: VersionRow): Said => ({
  ...saying(ctx),
  by: { id: row.decided_by_id ?? 0, name: row.decided_by },
  path: row.dept_path,
  comment: row.comment,
  now: row.decided_at ?? ctx.now(),
});

/**
 * The approval of a version, as the version stands. A server of the version before moves the version alone: an approval that doesn't say the same
 * follows it, with all that it remembers, and what has none gets one once it was handed in.
 */
export async function auditOf(ctx: Ctx, db: Db, row: VersionRow): Promise<Audit | undefined> {
  const found = await findAudit(db, ofVersion(row));
  const { [row.review_state]: step = states.ended.code } = steps;
  // What is being written has no hash yet; all else stands for the content that was handed in.
  const isOther = row.review_state !== draft && found?.content_hash !== row.content_hash;
  const isSame = found?.step === step && !isOther;
  if (isSame || (!found && row.review_state === draft)) return found;
  const { parts } = await contentOf(db, row);
  const content = { hash: row.content_hash, parts };
  const [handedIn, decided] = [submittedBy(ctx, row), judgedBy(ctx, row)];
  const saidOf = (event: string) => {
    if (event === 'apply') return handedIn;
    // Taken back by whoever had handed it in, as far as is known.
    if (event === 'cancelFull') return { ...handedIn, now: ctx.now() };
    return event === 'edit' ? editedBy(ctx, row) : decided;
  };
  if (!found) return follow(db, await enter(db, row, content, handedIn), ofVersion(row), step, content, saidOf);
  // With another content it was taken back first, and handed in again.
  const at = isOther ? await follow(db, found, ofVersion(row), steps[draft] ?? waits, content, saidOf) : found;
  return follow(db, at, ofVersion(row), step, content, saidOf);
}

/** It goes to the reviewers as it stands now. */
export async function submit(ctx: Ctx, db: Db, row: VersionRow, event: 'submit' | 'relist', words: Words): Promise<void> {
  const content = await contentOf(db, row);
  await auditOf(ctx, db, row);
  const said = saying(ctx, words);
  const { by, now } = said;
  const submitted = { submitted_by_id: by.id, submitted_by: by.name, submitted_at: now, comment: '', content_hash: content.hash };
  await step(ctx, db, row, event, submitted, said);
  await changed(ctx, db, row.dept_path);
  await askSoon(ctx, db, await enter(db, row, content, said));
  await checkKept(db, ofVersion(row), said.files ?? []);
}

/** What was sent back or taken out is a draft again once it is edited. */
export async function redraft(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  if (!redrafted.includes(row.review_state)) return;
  await auditOf(ctx, db, row);
  const said = saying(ctx);
  await move(db, reviewRows, 'edit', [row.id], { actorId: said.by.id, detail: { by: said.by.name, text: '' } });
  await voidStage(db, ofVersion(row), said);
}

export async function delist(ctx: Ctx, db: Db, row: VersionRow, words: Words): Promise<void> {
  const said = saying(ctx, words);
  await auditOf(ctx, db, row);
  await step(ctx, db, row, 'delist', decidedBy(said), said);
  await changed(ctx, db, row.dept_path);
  await endFor(db, ofVersion(row), said);
  await checkKept(db, ofVersion(row), said.files ?? []);
}
