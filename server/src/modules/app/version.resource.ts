import { appVersionCalls, UploadInfo } from '@mooring/contract/app/calls';
import { AppVersion } from '@mooring/contract/app/schemas';
import { appPublishMachine } from '@mooring/contract/app/state-machines';
import { taskTypes } from '@mooring/contract/engines/approval/steps';
import { Fault } from '@mooring/contract/kit/fault';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import { forget } from '../../engines/approval/hand-in.ts';
import { ofVersions, placeShown, placesOf } from '../../engines/rollout/places/place-rows.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import type { Ctx } from '../../platform/context.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { freeGiven } from '../approval/api.ts';
import { forgetFile, receiveFile } from '../file/api.ts';
import { APK, addVersion, type Packages } from './add-version.ts';
import { isAuthor } from './authors.ts';
import { compareVersion } from './compare.ts';
import { pageHistory } from './history.ts';
import { manyVersions } from './many.ts';
import { onTerminals } from './on-terminals.ts';
import { templatesFor } from './params-along.ts';
import { versionProfiles } from './profiles.ts';
import { isWithheld } from './publish.ts';
import { makeReview } from './review.ts';
import { ofVersion } from './review-rows.ts';
import { dayOf } from './subscription/taken.ts';
import { makeTrial } from './trial.ts';
import { updateVersion } from './update-version.ts';
import {
  approved,
  awaiting,
  changed,
  draft,
  holdAppOf,
  listedStates,
  redrafted,
  targetOf,
  unpublished,
  type VersionRow,
} from './version-rows.ts';

/** One that some places don't have is published once more; one that all have, or that is on its way, isn't. */
const publishable: readonly string[] = codesOf(appPublishMachine, ['unpublished', 'partly']);
const isAbove = (path: string) => sql<boolean>`starts_with(t.dept_path, ${path})`;
const notByAuthor = (row: VersionRow, ctx: Ctx) => isAuthor(ctx, row) && 'APP_OWN_REVIEW';

const isTried = (row: object): boolean => 'tried' in row && row.tried === true;

/** The last version of an app takes it along. */
async function forgetVersion(ctx: Ctx, row: VersionRow): Promise<void> {
  await forget(ctx.db, ofVersion(row), freeGiven(ctx, ctx.db));
  const other = await ctx.db.selectFrom('app_version').select('id').where('app_id', '=', row.app_id).limit(1).executeTakeFirst();
  if (!other) await ctx.db.deleteFrom('app_app').where('id', '=', row.app_id).execute();
  else
    await sql`update app_app set icon_id = (select v.icon_id from app_version v where v.app_id = ${row.app_id} order by v.listed_at desc nulls last, v.version_code desc limit 1)
      where id = ${row.app_id} and icon_id is not distinct from ${row.icon_id}`.execute(ctx.db);
  for (const id of [row.icon_id, row.file_id, ...row.screenshots.map(Number)]) if (id !== null) await forgetFile(ctx, id);
  await changed(ctx, ctx.db, row.dept_path);
}

export function makeVersions(packages: Packages, kind: () => RolloutKind): Resource<typeof AppVersion> {
  const versions: Resource<typeof AppVersion> = resource(AppVersion, appVersionCalls, {
    table: 'app_version',
    inUse: 'APP_VERSION_TRIED',
    holdsFirst: holdAppOf,
    target: targetOf,
    joined: (query, { scope, lang, now }) =>
      query
        .innerJoin('app_app as a', 'a.id', 't.app_id')
        .leftJoin('org_dept as o', 'o.id', 't.dept_id')
        .where('t.deleted_at', 'is', null)
        .select([
          sql<string>`coalesce(t.listing -> ${lang} ->> 'name', a.name)`.as('app_name'),
          sql<string>`coalesce(o.name, '')`.as('dept_name'),
          isAbove(scope.path).as('own'),
          sql<boolean>`(t.review_state = ${approved} and t.publish_state in (${sql.join(listedStates)}) and app_may_release(t.id, ${scope.path}, ${dayOf({ now })}::date))`.as(
            'releasable',
          ),
          sql<unknown>`(select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'androidSdk', p.android_sdk) order by p.name), '[]')
            from app_version_product k join product_product p on p.id = k.product_id where k.version_id = t.id)`.as('products'),
          sql<unknown>`(select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name) order by d.name), '[]')
            from app_version_dept k join org_dept d on d.id = k.dept_id where k.version_id = t.id)`.as('depts'),
          sql<boolean>`app_version_tried(t.id)`.as('tried'),
          // Of exactly the decision that the version shows: a server of the version before decides past it.
          sql<string[]>`coalesce((select r.on_behalf_of from approval_audit x join approval_record r on r.audit_id = x.id
            where x.task_type = ${taskTypes.app} and x.task_id = t.id and r.at = t.decided_at and r.actor_id = t.decided_by_id limit 1), '{}')`.as(
            'decided_for',
          ),
          sql<unknown>`(select coalesce(json_agg(k.sn order by k.sn), '[]') from app_version_sn k where k.version_id = t.id)`.as('sns'),
        ]),
    // A list of large numbers comes as texts. What was said to its developer isn't for whom it is listed.
    shown: (row, { scope }) => ({
      screenshots: row.screenshots.map(Number),
      ...(row.dept_path.startsWith(scope.path) ? {} : { comment: '', decidedBy: '', decidedFor: [], submittedBy: '', createdBy: '' }),
    }),
    cells: {
      listing: (texts) => texts.en?.name ?? '',
      signer: (signer) => signer?.subject ?? '',
      products: (products) => products.map(({ name }) => name).join('; '),
      decidedFor: (names) => names.join('; '),
      depts: (depts) => depts.map(({ name }) => name).join('; '),
      sns: (sns) => sns.join('; '),
    },
    acts: { publish: appVersionCalls.publish, unpublish: appVersionCalls.unpublish },
    refuses: {
      update: ({ review_state: state }) => state !== draft && !redrafted.includes(state) && 'APP_VERSION_FIXED',
      delete: (row) =>
        ((row.listed_at !== null || row.review_state === awaiting) && 'APP_VERSION_LISTED') || (isTried(row) && 'APP_VERSION_TRIED'),
      approve: notByAuthor,
      reject: notByAuthor,
      publish: (row, ctx) =>
        ((row.review_state !== approved || !publishable.includes(row.publish_state) || row.publish_at !== null) && 'APP_NOT_APPROVED') ||
        (isWithheld(ctx, row) && 'APP_WITHHELD'),
      unpublish: (row) => row.publish_state === unpublished && new Fault('OVERTAKEN', { code: 409 }),
    },
    deleted: forgetVersion,
    handlers: {
      add: async (ctx, input) => {
        const id = await addVersion(ctx, packages, input);
        return ctx.inTx((db) => versions.read(ctx, id, db));
      },
      upload: async (ctx, _input, wire) => {
        const { info, row } = await receiveFile(ctx, packages.files, wire, { kind: APK, info: UploadInfo });
        const id = await addVersion(ctx, packages, { ...info, fileId: row.id }).catch(async (error: unknown) => {
          // Nobody knows of it but this call.
          await ctx.withScope((inner) => forgetFile(inner, row.id));
          throw error;
        });
        return ctx.inTx((db) => versions.read(ctx, id, db));
      },
      update: async (ctx, input) => {
        await updateVersion(ctx, input);
        return versions.read(ctx, input.id);
      },
      ...makeReview((ctx, id, db) => versions.read(ctx, id, db) as never),
      ...makeTrial(kind),
      compare: compareVersion(() => versions),
      onTerminals: onTerminals(() => versions),
      profiles: versionProfiles,
      // Under the policy: for whom it is merely listed sees no places.
      places: async (ctx, { id }) => (await placesOf(ctx.db, ofVersions, id)).map((place) => placeShown(place, ctx)),
      templates: templatesFor,
      history: pageHistory,
      ...manyVersions(() => versions),
    },
  });
  return versions;
}
