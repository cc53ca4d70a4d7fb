import type { appVersionCalls } from '@mooring/contract/app/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { isHandOf } from '../access/api.ts';
import { checkDeveloper } from './check-developer.ts';
import { type Audience, audienceOf, contentHash } from './content-hash.ts';
import { dropDifferences } from './differences.ts';
import { checkFollowing, checkProducts } from './listed.ts';
import { makeDifferences } from './make-differences.ts';
import { pauseReleases } from './pause-releases.ts';
import { tellVersion } from './tell.ts';
import { tellHolders } from './tell-holders.ts';
import { checkAudience } from './update-version.ts';
import {
  approved,
  authorsOf,
  awaiting,
  changed,
  heldVersion,
  listedStates,
  nameIn,
  publishRows,
  reviewRows,
  targetOf,
  type VersionRow,
  type Written,
} from './version-rows.ts';

type Calls = typeof appVersionCalls;
type Answer = (ctx: Ctx, id: number, db: Db) => Promise<never>;
type Acts = {
  readonly [K in 'submit' | 'withdraw' | 'approve' | 'reject' | 'delist' | 'relist' | 'publish' | 'unpublish']: Handler<Calls[K]>;
};
type Event = keyof typeof reviewRows.machine.events & string;

/** Who brought it, or wrote what it says, doesn't judge it. */
export const isAuthor = (ctx: Pick<Ctx, 'actor'>, row: Written): boolean => authorsOf(row).includes(ctx.actor.userId);

const canDelist = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.permissions.has('app:app:delist');
/** A reviewer took it out of the catalogue: its developer doesn't put it back. */
export const isWithheld = (ctx: Pick<Ctx, 'actor'>, row: Pick<VersionRow, 'withheld'>): boolean => row.withheld && !canDelist(ctx);

/** One step of its review, with who took it and what they said. */
async function step(ctx: Ctx, db: Db, row: VersionRow, event: Event, set: Record<string, unknown>, text = ''): Promise<void> {
  const detail = { by: ctx.actor.userName, text };
  const moved = await move(db, reviewRows, event, [row.id], { actorId: ctx.actor.userId, set, detail });
  if (moved.length === 0) throw fault('OVERTAKEN');
  ctx.audit({ target: targetOf(row), ...(text === '' ? {} : { after: { comment: text } }) });
  await db.updateTable('app_app').set({ updated_at: ctx.now() }).where('id', '=', row.app_id).execute();
  await changed(ctx, db, row.dept_path);
}

const byActor = (ctx: Ctx, comment: string) => ({
  decided_by_id: ctx.actor.userId,
  decided_by: ctx.actor.userName,
  decided_at: ctx.now(),
  comment,
});

const asInput = ({ channel, scope }: VersionRow, { deptIds, sns }: Audience) =>
  ({ channel, scope, deptIds: [...deptIds], sns: [...sns] }) as Parameters<typeof checkAudience>[2];

/** It goes to the reviewers as it stands now. */
async function handIn(ctx: Ctx, db: Db, row: VersionRow, event: 'submit' | 'relist', words = ''): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  const audience = await audienceOf(db, row.id);
  if (audience.productIds.length === 0) throw new Fault('APP_NO_PRODUCT', { fields: { productIds: 'fault.APP_NO_PRODUCT' } });
  await checkProducts(db, row, audience.productIds, 'productIds');
  await checkAudience(db, row, asInput(row, audience));
  await checkFollowing(db, row.app_id, row);
  const submitted = { submitted_by_id: ctx.actor.userId, submitted_by: ctx.actor.userName, submitted_at: ctx.now() };
  await step(ctx, db, row, event, { ...submitted, comment: '', content_hash: contentHash(row, audience) }, words);
  await tellVersion(ctx, db, row, 'appSubmitted', words);
}

/** In the store that there is at once: copies to further ones would keep it in `publishing` meanwhile. */
async function publishNow(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  await db.updateTable('app_version').set({ withheld: false }).where('id', '=', row.id).execute();
  const said = { actorId: ctx.actor.userId, detail: { by: ctx.actor.userName, text: '' } };
  const moved = await move(db, publishRows, 'publish', [row.id], said);
  if (moved.length === 0) throw fault('OVERTAKEN');
  await move(db, publishRows, 'done', [row.id], said);
  const looks = { name: nameIn(row), icon_id: row.icon_id, updated_at: ctx.now() };
  await db.updateTable('app_app').set(looks).where('id', '=', row.app_id).execute();
  await makeDifferences(ctx, db, row.id);
  await changed(ctx, db, row.dept_path);
}
async function takeOut(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  if (!listedStates.includes(row.publish_state)) return;
  await move(db, publishRows, 'unpublish', [row.id], { actorId: ctx.actor.userId, detail: { by: ctx.actor.userName, text: '' } });
  await db
    .updateTable('app_version')
    .set({ withheld: canDelist(ctx) })
    .where('id', '=', row.id)
    .execute();
  await pauseReleases(ctx, db, row.app_id);
}

/** A decision is about exactly what its reviewer saw. */
async function toDecide(ctx: Ctx, id: number, seen: string): Promise<VersionRow> {
  const row = await heldVersion(ctx, ctx.db, id);
  if (row.review_state !== awaiting || row.content_hash !== seen) throw fault('OVERTAKEN');
  if (isAuthor(ctx, row)) throw new Fault('APP_OWN_REVIEW');
  return row;
}

/**
 * What became another since it was submitted isn't approved: organisations that it was for may have been merged, products deleted or their Android
 * been lowered. Its developer gets it back. Faults: APP_CHANGED, APP_ANDROID.
 */
async function checkStill(db: Db, row: VersionRow): Promise<void> {
  const audience = await audienceOf(db, row.id);
  if (contentHash(row, audience) !== row.content_hash) throw new Fault('APP_CHANGED');
  await checkProducts(db, row, audience.productIds, 'id');
}

/** With dual control, whoever has an author's account in their hands neither tries nor approves what was handed in from it. Fault: CHANGE_ONE_HAND. */
export async function checkHands(ctx: Ctx, row: Written & { readonly submitted_at: Date | null }): Promise<void> {
  const now = ctx.now();
  const at = { handedIn: row.submitted_at ?? now, now };
  if (await ctx.readOnly((db) => isHandOf(db, ctx.actor.userId, authorsOf(row), at))) throw new Fault('CHANGE_ONE_HAND');
}

export const makeReview = (answer: Answer): Acts => ({
  submit: async (ctx, { id }) => {
    await handIn(ctx, ctx.db, await heldVersion(ctx, ctx.db, id), 'submit');
    return answer(ctx, id, ctx.db);
  },
  withdraw: async (ctx, { id }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    await step(ctx, ctx.db, row, 'withdraw', { content_hash: '' });
    await pauseReleases(ctx, ctx.db, row.app_id);
    return answer(ctx, id, ctx.db);
  },
  approve: async (ctx, { id, contentHash: seen, marketId, publish, comment }) => {
    // Two windows of one person may act for two organisations.
    if (marketId !== ctx.scope.deptId) throw fault('OVERTAKEN');
    const row = await toDecide(ctx, id, seen);
    await checkHands(ctx, row);
    await checkStill(ctx.db, row);
    await checkDeveloper(ctx.db, row.dept_id);
    await checkFollowing(ctx.db, row.app_id, row);
    await step(
      ctx,
      ctx.db,
      row,
      'approve',
      { ...byActor(ctx, comment), market_id: ctx.scope.deptId, listed_at: row.listed_at ?? ctx.now() },
      comment,
    );
    if (publish) await publishNow(ctx, ctx.db, row);
    await tellVersion(ctx, ctx.db, row, 'appApproved', comment);
    return answer(ctx, id, ctx.db);
  },
  reject: async (ctx, { id, contentHash: seen, comment }) => {
    const row = await toDecide(ctx, id, seen);
    await step(ctx, ctx.db, row, 'reject', byActor(ctx, comment), comment);
    await pauseReleases(ctx, ctx.db, row.app_id);
    await tellVersion(ctx, ctx.db, row, 'appRejected', comment);
    return answer(ctx, id, ctx.db);
  },
  delist: async (ctx, { id, comment }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    await step(ctx, ctx.db, row, 'delist', byActor(ctx, comment), comment);
    await takeOut(ctx, ctx.db, row);
    await dropDifferences(ctx, row);
    await tellHolders(ctx, ctx.db, id);
    await tellVersion(ctx, ctx.db, row, 'appDelisted', comment);
    return answer(ctx, id, ctx.db);
  },
  relist: async (ctx, { id, comment }) => {
    await handIn(ctx, ctx.db, await heldVersion(ctx, ctx.db, id), 'relist', comment);
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
    if (!listedStates.includes(row.publish_state)) throw fault('OVERTAKEN');
    await takeOut(ctx, ctx.db, row);
    ctx.audit({ target: targetOf(row) });
    await changed(ctx, ctx.db, row.dept_path);
    return answer(ctx, id, ctx.db);
  },
});
