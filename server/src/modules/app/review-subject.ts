import { reviewCourse, reviewer, taskTypes } from '@mooring/contract/engines/approval/steps';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Person } from '../../engines/approval/who.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { actorOf, holdersAbove } from '../access/api.ts';
import type { Approvable, DeclaredApproval } from '../approval/api.ts';
import { checkHands } from './authors.ts';
import { checkDeveloper } from './check-developer.ts';
import { audienceOf } from './content-hash.ts';
import { checkFollowing, checkProducts } from './listed.ts';
import { pauseReleases } from './pause-releases.ts';
import { publishNow } from './publish.ts';
import { contentOf, decidedBy, step } from './review-rows.ts';
import { submittedWords, tellVersion } from './tell.ts';
import { authorsOf, awaiting, changed, type VersionRow } from './version-rows.ts';

const can = 'app:app:review';

/** As what somebody decides on versions. */
export const personWith = (userId: number, path: string, permissions: ReadonlySet<string>): Person => ({
  userId,
  path,
  roles: permissions.has(can) ? new Set([reviewer]) : new Set(),
  applies: permissions.has('app:dev:submit'),
});

const find = (db: Db, id: number): Promise<VersionRow | undefined> =>
  db.selectFrom('app_version').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
async function waiting(db: Db, id: number): Promise<VersionRow | undefined> {
  const row = await find(db, id);
  return row?.review_state === awaiting ? row : undefined;
}

/** A version of an app as the approval engine sees it: one reviewer decides, and approved it may be in the catalogue, at once where they say so. */
export function reviewSubject(ctx: Ctx, publish = false): Approvable {
  return {
    type: taskTypes.app,
    course: reviewCourse,
    refusals: {
      over: () => fault('OVERTAKEN'),
      own: () => new Fault('APP_OWN_REVIEW'),
      role: () => fault('FORBIDDEN'),
      changed: () => new Fault('APP_CHANGED'),
    },
    // Nobody judges a version without its page.
    mailsLinks: false,
    screenOf({ task_id: id }) {
      const screen = `/app/version/${id}`;
      return { deciders: screen, authors: screen };
    },
    words: async (db, { id, task_id }) => submittedWords(db, id, task_id),
    async contentOf(db, id) {
      const row = await waiting(db, id);
      return row && contentOf(db, row);
    },
    async authorsOf(db, id) {
      const row = await find(db, id);
      return row ? authorsOf(row) : [];
    },
    hasEnded: async () => false,
    decidersOf: async (db, { id, standing }) => ((await waiting(db, id)) ? holdersAbove(db, can, standing.path) : undefined),
    async personNow(db, userId) {
      const actor = await actorOf(db, userId);
      return actor && { person: personWith(userId, actor.deptPath, actor.permissions), name: actor.userName };
    },
    async mayAgree(db, id) {
      const row = await find(db, id);
      if (row) await checkHands(ctx, row);
    },
    // Products may have been deleted since, or their Android been lowered. Faults: APP_ANDROID and what keeps a version from being submitted.
    async release(db, id, { said }) {
      const row = await waiting(db, id);
      if (!row) return false;
      await checkProducts(db, row, (await audienceOf(db, id)).productIds, 'id');
      await checkDeveloper(db, row.dept_id);
      await checkFollowing(db, row.app_id, row);
      // A reviewer agrees to have it in the catalogue: whoever had taken it out doesn't withhold it any more.
      const listed = { market_id: ctx.scope.deptId, listed_at: row.listed_at ?? said.now, withheld: false };
      await step(ctx, db, row, 'approve', { ...decidedBy(said), ...listed }, said);
      if (publish) await publishNow(ctx, db, row);
      await tellVersion(ctx, db, row, 'appApproved', said.comment);
      return true;
    },
    async sendBack(db, id, by) {
      const row = await waiting(db, id);
      if (!row || !by) return false;
      const { act, said } = by;
      const isTakenBack = act === 'cancelFull';
      if (isTakenBack) await step(ctx, db, row, 'withdraw', { content_hash: '' });
      else await step(ctx, db, row, 'reject', decidedBy(said), said);
      await pauseReleases(ctx, db, row.app_id);
      if (!isTakenBack) await tellVersion(ctx, db, row, 'appRejected', said.comment);
      return true;
    },
    // What is taken out of the catalogue ends by its own call.
    end: async () => false,
    isPlaced: async () => true,
    ownersOf: async () => [],
    async changed(db, id) {
      const row = await find(db, id);
      if (row) await changed(ctx, db, row.dept_path);
    },
  };
}

/** Reviews of apps are approvals: people are asked, reminded and stood in for as for releases. */
export const appReview: DeclaredApproval = { type: taskTypes.app, can, subject: (ctx) => reviewSubject(ctx) };
