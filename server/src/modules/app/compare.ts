import { type appVersionCalls, reviewedParts } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import type { OutputOf } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { earlierContent, partsThatDiffer } from '../../engines/approval/earlier.ts';
import { findAudit } from '../../engines/approval/hand-in.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { contentOf, ofVersion } from './review-rows.ts';
import { isForAll, listedStates } from './version-rows.ts';

const NAMESAKES = 10;
type Version = Pick<OutputOf<typeof appVersionCalls.compare>['now'], 'appId' | 'packageName' | 'certificateSha256'>;

/** What is another than when it was submitted before, to whoever sees its review. */
async function changesOf(db: Db, id: number) {
  const audit = await findAudit(db, ofVersion({ id }));
  const then = audit && (await earlierContent(db, audit));
  if (!then) return [];
  const row = await db.selectFrom('app_version').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return partsThatDiffer(reviewedParts, (await contentOf(db, row)).parts, then);
}

/** Apps of other organisations by the same package name, as far as they are seen; and whether their newest version is signed by the same key. */
async function namesakesOf({ db }: Pick<Ctx, 'db'>, { appId, packageName, certificateSha256 }: Version) {
  const { rows } = await sql<{ appId: number; deptName: string; sameKey: boolean }>`
    select a.id as "appId", coalesce(o.name, '') as "deptName", v.certificate_sha256 = ${certificateSha256} as "sameKey"
    from app_app a left join org_dept o on o.id = a.dept_id
    cross join lateral (select certificate_sha256 from app_version v where v.app_id = a.id and v.deleted_at is null order by v.version_code desc limit 1) v
    where a.package_name = ${packageName} and a.id <> ${appId} and a.deleted_at is null order by a.id desc limit ${NAMESAKES}`.execute(db);
  return rows;
}

/** In the catalogue for whoever this one is for: what shops run, where it is for shops. */
const isBase = (channel: string) =>
  sql<boolean>`(publish_state in (${sql.join(listedStates)}) and (${!isForAll(channel)} or channel = 'release'))`;

/** A version beside the highest one below it that is in the catalogue for the same terminals; where none is, beside the highest that was listed. */
export const compareVersion =
  (versions: () => Pick<Resource<typeof AppVersion>, 'read'>): Handler<typeof appVersionCalls.compare> =>
  async (ctx, { id }) => {
    const now = await versions().read(ctx, id);
    const before = await ctx.db
      .selectFrom('app_version')
      .select('id')
      .where('app_id', '=', now.appId)
      .where('version_code', '<', now.versionCode)
      .where('listed_at', 'is not', null)
      .where('deleted_at', 'is', null)
      .orderBy(isBase(now.channel), 'desc')
      .orderBy('version_code', 'desc')
      .limit(1)
      .executeTakeFirst();
    const namesakes = await namesakesOf(ctx, now);
    return { now, namesakes, before: before ? await versions().read(ctx, before.id) : null, changes: await changesOf(ctx.db, id) };
  };
