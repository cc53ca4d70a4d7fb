import { taskTypes } from '@mooring/contract/engines/approval/steps';
import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import type { FileOwner, Module } from '../../platform/module.ts';
import { openFiles } from '../file/api.ts';
import { apps } from './app.resource.ts';
import { developers } from './developer.resource.ts';
import { followReviews } from './follow-reviews.ts';
import { makeDifferencesJob } from './make-differences.ts';
import { pauseJob, pauseOverJob } from './pause-releases.ts';
import { readCertificates } from './read-certificates.ts';
import { softAppRelease } from './release.ts';
import { sdks, shownSdk } from './sdk.resource.ts';
import { callbackExporter, callbackRoutes } from './subscription/callback.ts';
import { linkRoutes } from './subscription/links.ts';
import { subscriptions } from './subscription/subscription.resource.ts';
import { dayOf } from './subscription/taken.ts';
import { warnOfTerms } from './subscription/warn-of-terms.ts';
import { tellHoldersJob } from './tell-holders.ts';
import { tellSubscribersJob } from './tell-subscribers.ts';
import { makeVersions } from './version.resource.ts';

const see = 'app:app:page';

const mayHave = (ctx: Ctx) => sql<boolean>`app_may_release(app_version.id, ${ctx.scope.path}, ${dayOf(ctx)}::date)`;

const appUse: FileOwner['use'] = { what: 'app', name: sql`app_app.name`, at: { path: '/app/detail/', id: sql`app_app.id` } };
const versionUse = (id: RawBuilder<unknown>): FileOwner['use'] => ({
  what: 'appVersion',
  name: sql`(select a.name || ' ' || v.version_name from app_version v join app_app a on a.id = v.app_id where v.id = ${id})`,
  at: { path: '/app/version/', id },
});

const isOwners = (ctx: Ctx) => sql<boolean>`starts_with(approval_file.dept_path, ${ctx.scope.path})`;

/** What waits for a reviewer of the scope: versions, and organisations that want to bring them. */
async function countWaiting(db: Db, { scope: { path }, actor }: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*)::int from app_version where review_state = '1' and deleted_at is null and dept_path >= ${path} and dept_path < ${`${path}~`})
      + case when ${actor.permissions.has('app:app:developer')} then
        (select count(*)::int from app_developer where state = 'applied' and dept_path >= ${path} and dept_path < ${`${path}~`}) else 0 end as n`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Apps that organisations bring, their review, and the catalogue. */
export function makeApp(app: AppContext): Module {
  const packages = { dataDir: app.config.DATA_DIR, files: openFiles(app) };
  const versions = makeVersions(packages, () => softAppRelease(() => loadReleaseKeys(app), app).kind);
  return {
    name: 'app',
    resources: [apps, versions, developers, subscriptions, sdks],
    routes: [...linkRoutes(app), ...callbackRoutes(app)],
    exporters: [callbackExporter],
    counts: { app: { can: 'app:app:review', count: countWaiting } },
    jobs: [
      pauseJob,
      pauseOverJob,
      makeDifferencesJob,
      tellHoldersJob,
      tellSubscribersJob,
      warnOfTerms,
      followReviews,
      readCertificates(packages),
    ],
    fileOwners: [
      { table: 'app_app', column: 'icon_id', can: see, use: appUse },
      { table: 'app_version', column: 'icon_id', can: see, use: versionUse(sql`app_version.id`) },
      // The catalogue shows more than who may have it.
      { table: 'app_version', column: 'file_id', can: see, only: mayHave, use: versionUse(sql`app_version.id`) },
      { table: 'app_version_file', column: 'file_id', can: see, use: versionUse(sql`app_version_file.version_id`) },
      // With the history of an app, which is its developers’ and reviewers’.
      {
        table: 'approval_file',
        column: 'file_id',
        where: ['task_type', taskTypes.app],
        can: `${see}||app:dev:page`,
        only: isOwners,
        use: { what: 'approval', name: sql`approval_file.name` },
      },
      {
        table: 'app_sdk',
        column: 'file_id',
        can: 'app:dev:page||app:sdk:manage',
        only: (ctx) => shownSdk(ctx, 'app_sdk'),
        use: { what: 'sdk', name: sql`app_sdk.name || ' ' || app_sdk.version` },
      },
    ],
  };
}
