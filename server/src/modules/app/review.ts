import type { appVersionCalls } from '@mooring/contract/app/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { actOn } from '../../engines/approval/act.ts';
import { type Audit, standingOf } from '../../engines/approval/audit.ts';
import { checkKept } from '../../engines/approval/files.ts';
import { findAudit } from '../../engines/approval/hand-in.ts';
import type { Act } from '../../engines/approval/who.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { type Approvable, givenFiles, onBehalfOf } from '../approval/api.ts';
import { checkDeveloper } from './check-developer.ts';
import { type Audience, audienceOf } from './content-hash.ts';
import { dropDifferences } from './differences.ts';
import { checkFollowing, checkProducts } from './listed.ts';
import { isWithheld, publishNow, takeOut } from './publish.ts';
import { auditOf, delist, ofVersion, saying, submit, type Words, waits } from './review-rows.ts';
import { personWith, reviewSubject } from './review-subject.ts';
import { tellVersion } from './tell.ts';
import { tellHolders } from './tell-holders.ts';
import { checkAudience } from './update-version.ts';
import { approved, awaiting, changed, heldVersion, targetOf, unpublished, type VersionRow } from './version-rows.ts';

type Calls = typeof appVersionCalls;
type Answer = (ctx: Ctx, id: number, db: Db) => Promise<never>;
type Acts = {
  readonly [K in 'submit' | 'withdraw' | 'approve' | 'reject' | 'standsInFor' | 'delist' | 'relist' | 'publish' | 'unpublish']: Handler<
    Calls[K]
  >;
};

const asInput = ({ channel, scope }: VersionRow, { deptIds, sns }: Audience) =>
  ({ channel, scope, deptIds: [...deptIds], sns: [...sns] }) as Parameters<typeof checkAudience>[2];

/** What a person says, and what they give with it. */
const wordsOf = async (ctx: Ctx, { comment, files }: { readonly comment: string; readonly files: readonly number[] }): Promise<Words> => ({
  comment,
  files: await givenFiles(ctx, files),
});

/** It goes to the reviewers as it stands now. */
async function handIn(ctx: Ctx, db: Db, row: VersionRow, event: 'submit' | 'relist', words: Words): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  const audience = await audienceOf(db, row.id);
  if (audience.productIds.length === 0) throw new Fault('APP_NO_PRODUCT', { fields: { productIds: 'fault.APP_NO_PRODUCT' } });
  await checkProducts(db, row, audience.productIds, 'productIds');
  await checkAudience(db, row, asInput(row, audience));
  await checkFollowing(db, row.app_id, row);
  await submit(ctx, db, row, event, words);
}

const personOf = ({ actor, scope }: Ctx) => personWith(actor.userId, scope.path, actor.permissions);
/** For whom the actor decides who is away; asked past the range policy, since these may act elsewhere. */
async function absentOf(ctx: Ctx, audit: Audit, subject: Approvable): Promise<string[]> {
  const standing = await standingOf(ctx.db, audit, subject);
  return ctx.readOnly((db) => onBehalfOf(db, subject, standing, personOf(ctx), ctx.now()));
}

/** One act on a version that waits. */
async function act(
  ctx: Ctx,
  row: VersionRow,
  of: Act,
  { publish = false, ...words }: Partial<Words> & { publish?: boolean } = {},
): Promise<void> {
  const audit = await auditOf(ctx, ctx.db, row);
  if (row.review_state !== awaiting || !audit) throw fault('OVERTAKEN');
  const subject = reviewSubject(ctx, publish);
  const onBehalfOf = of === 'cancelFull' ? [] : await absentOf(ctx, audit, subject);
  const said = saying(ctx, { comment: '', ...words, onBehalfOf });
  await actOn(ctx.db, { of: () => subject }, personOf(ctx), { auditId: audit.id, act: of, step: waits, said });
  await checkKept(ctx.db, ofVersion(row), said.files ?? []);
}

/** A decision is about exactly what its reviewer saw. */
async function toDecide(ctx: Ctx, id: number, seen: string): Promise<VersionRow> {
  const row = await heldVersion(ctx, ctx.db, id);
  if (row.content_hash !== seen) throw fault('OVERTAKEN');
  return row;
}

export const makeReview = (answer: Answer): Acts => ({
  submit: async (ctx, { id, ...words }) => {
    await handIn(ctx, ctx.db, await heldVersion(ctx, ctx.db, id), 'submit', await wordsOf(ctx, words));
    return answer(ctx, id, ctx.db);
  },
  withdraw: async (ctx, { id }) => {
    await act(ctx, await heldVersion(ctx, ctx.db, id), 'cancelFull');
    return answer(ctx, id, ctx.db);
  },
  approve: async (ctx, { id, contentHash, marketId, publish, ...words }) => {
    // Two windows of one person may act for two organisations.
    if (marketId !== ctx.scope.deptId) throw fault('OVERTAKEN');
    await act(ctx, await toDecide(ctx, id, contentHash), 'pass', { ...(await wordsOf(ctx, words)), publish });
    return answer(ctx, id, ctx.db);
  },
  reject: async (ctx, { id, contentHash, ...words }) => {
    await act(ctx, await toDecide(ctx, id, contentHash), 'refuse', await wordsOf(ctx, words));
    return answer(ctx, id, ctx.db);
  },
  standsInFor: async (ctx, { id }) => {
    const row = await ctx.db.selectFrom('app_version').select(['id', 'dept_path']).where('id', '=', id).executeTakeFirst();
    if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
    const audit = await findAudit(ctx.db, ofVersion(row));
    return audit ? absentOf(ctx, audit, reviewSubject(ctx)) : [];
  },
  delist: async (ctx, { id, ...said }) => {
    const words = await wordsOf(ctx, said);
    const row = await heldVersion(ctx, ctx.db, id);
    await delist(ctx, ctx.db, row, words);
    await takeOut(ctx, ctx.db, row);
    await dropDifferences(ctx, row);
    await tellHolders(ctx, ctx.db, id);
    await tellVersion(ctx, ctx.db, row, 'appDelisted', words.comment);
    return answer(ctx, id, ctx.db);
  },
  relist: async (ctx, { id, ...words }) => {
    await handIn(ctx, ctx.db, await heldVersion(ctx, ctx.db, id), 'relist', await wordsOf(ctx, words));
    return answer(ctx, id, ctx.db);
  },
  publish: async (ctx, { id }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    if (row.review_state !== approved) throw new Fault('APP_NOT_APPROVED');
    if (isWithheld(ctx, row)) throw new Fault('APP_WITHHELD');
    await publishNow(ctx, ctx.db, row);
    ctx.audit({ target: targetOf(row) });
    return answer(ctx, id, ctx.db);
  },
  unpublish: async (ctx, { id }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    if (row.publish_state === unpublished) throw fault('OVERTAKEN');
    await takeOut(ctx, ctx.db, row);
    ctx.audit({ target: targetOf(row) });
    await changed(ctx, ctx.db, row.dept_path);
    return answer(ctx, id, ctx.db);
  },
});
