import { softAppKind } from '@mooring/contract/app/app-kind';
import { appDifferenceCalls } from '@mooring/contract/app/difference-calls';
import { SoftAppRelease, softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { type RawBuilder, sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { LINK_HOURS } from '../../engines/rollout/packages/package-kind.ts';
import { packageFor } from '../../engines/rollout/packages/sent-package.ts';
import type { Payload, Subject, SubjectOf, Target } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { checkAlong, missingAt, noneAlong, templateAlong } from '../paramfile/api.ts';
import { besideOf } from '../signing/api.ts';
import { appBack } from './app-back.ts';
import { checkHands, isAuthor } from './authors.ts';
import { type AppPackage, appDifferences, differencesTo, idleDifferencesTo } from './differences.ts';
import { isSignedAs } from './is-on.ts';
import { isWithout, paramsAlong, productsOf, takesParams, templateIn, withParams } from './params-along.ts';
import { checkProfiles } from './profiles.ts';
import { dayOf } from './subscription/taken.ts';
import { approved, awaiting, listedStates } from './version-rows.ts';
import { type Withheld, whyWithheld, withheldFrom } from './withheld.ts';

const contentOf = ({ content }: SubjectOf) => SoftAppRelease.parse(content);

async function versionOf(db: Db, id: number | null) {
  const row = await db
    .selectFrom('app_version as v')
    .innerJoin('app_app as a', 'a.id', 'v.app_id')
    .selectAll('v')
    .select('a.name as app_name')
    .where('v.id', '=', id ?? 0)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
type Version = Awaited<ReturnType<typeof versionOf>>;

/** Approved, and in the catalogue: what was delisted goes to nobody any more. */
const isListed = (row: Version): boolean =>
  row.review_state === approved && listedStates.includes(row.publish_state) && row.deleted_at === null;

/** Tried by its reviewers until they decide; approved, a trial goes on as far as it is listed. */
const isTried = (row: Version): boolean => row.review_state === awaiting && row.deleted_at === null;

/** Brought by the organisation, or by one above or below it, or subscribed to. */
async function mayRelease(db: Db, version: number, path: string, now: Date): Promise<boolean> {
  const found = await sql<{ may: boolean }>`select app_may_release(${version}, ${path}, ${dayOf({ now: () => now })}::date) as may`.execute(
    db,
  );
  return found.rows[0]?.may === true;
}

async function subjectOf(db: Db, task: SubjectOf): Promise<Subject> {
  const content = contentOf(task);
  const { action, versionId, packageName } = content;
  if (action === 'uninstall') return { name: packageName, version: null, productId: task.product_id };
  const { id, package_name, version_code } = await versionOf(db, versionId);
  const template = templateIn(content);
  const along = template === null ? undefined : await templateAlong(db, template);
  return {
    name: package_name,
    version: String(version_code),
    productId: task.product_id,
    source: id,
    present: action === 'update',
    trial: action === 'trial',
    ...(along ? { templateId: along.noted.templateId, needs: 'softAppParams' } : {}),
    ...(along && along.productId !== null ? { templateProduct: along.productId } : {}),
  };
}

/** Devices `d` that a version is for: its products, and of those whomever it is listed for. */
const isFor = (version: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from app_version v join app_version_product p on p.version_id = v.id
  where v.id = ${version} and p.product_id = d.product_id and case v.scope
    when '2' then exists (select from app_version_sn s where s.version_id = v.id and s.sn = d.sn)
    else exists (select from app_places(${version}) place where starts_with(d.dept_path, place)) end)`;
/** Its reviewers try it where it would run: on test terminals of its products, whomever it is for. */
const isTriedOn = (version: number): RawBuilder<boolean> =>
  sql<boolean>`(d.test_terminal and exists (select from app_version_product p where p.version_id = ${version} and p.product_id = d.product_id))`;
const has = (name: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name})`;

function isFitFor({ name, source, present, trial }: Subject): RawBuilder<boolean> {
  // What the terminal can't do without stays.
  if (source === undefined) return sql<boolean>`not ${isSystem(name)}`;
  if (trial) return isTriedOn(source);
  return present ? sql<boolean>`(${isFor(source)} and ${has(name)})` : isFor(source);
}

/** Of an installed app `i`; one that doesn't say it is there all the same. */
const code = sql<string>`coalesce(i.version_code::text, '?')`;
/** An equal code by another certificate, which it doesn't prove to come after, isn't that version; one of a lower code is told apart by its key all the same. */
const ofSame = (
  version: number | RawBuilder<number>,
) => sql<string>`case when not (select case when i.version_code = v.version_code then ${isSignedAs('i.certificate', 'v')} else i.certificate = v.certificate_sha256 end
    from app_version v where v.id = ${version})
  then '(' || ${code} || ')' else ${code} end`;
const asReleased = (taskId: RawBuilder<number>) =>
  ofSame(sql<number>`(select a.app_version_id from rollout_task a where a.id = ${taskId})`);

/** The version of a device `d`. */
const runs = ({ name, source }: Subject) =>
  sql<
    string | null
  >`(select ${source === undefined ? code : ofSame(source)} from device_app i where i.device_id = d.id and i.package_name = ${name})`;

const isSystem = (name: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name} and i.system)`;

const wholeOf = ({ size, sha256 }: Version): AppPackage => ({ needs: undefined, size, sha256 });

/** Signed for each product: what a terminal may install, under which name and key; of a difference also what comes of it. */
function signedFor(version: Version, { sign }: ReleaseKeys) {
  const { package_name, version_code, certificate_sha256 } = version;
  const app = { packageName: package_name, versionCode: version_code, certificate: certificate_sha256 };
  const signed = new Map<string, ReturnType<typeof sign>>();
  return (product: string, { size, sha256, from }: AppPackage) => {
    const said = { product, version: String(version_code), size, sha256, content: softAppKind.kind, app };
    const made = signed.get(`${product} ${sha256}`) ?? sign(from ? { ...said, ...from, kind: 'DI' } : { ...said, kind: 'TA', base: null });
    signed.set(`${product} ${sha256}`, made);
    return { ...made.manifest, signature: made.signature };
  };
}

async function payloadsFor(
  db: Db,
  masterKey: Parameters<typeof fileUrl>[0],
  now: Date,
  version: Version,
  targets: readonly Target[],
  keys: ReleaseKeys,
  {
    reaches,
    withheld,
    path,
  }: { readonly reaches: RawBuilder<boolean>; readonly withheld: RawBuilder<Withheld | null>; readonly path: string },
) {
  const rows = await db
    .selectFrom('device as d')
    .innerJoin('product_product as p', 'p.id', 'd.product_id')
    .select(['d.id', 'p.code', 'd.product_id', withheld.as('withheld')])
    .where(
      'd.id',
      'in',
      targets.map(({ deviceId }) => deviceId),
    )
    // Moved meanwhile, or the version is for others by now.
    .where(reaches)
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  const beside = await besideOf(db, [...new Set(rows.map((row) => row.product_id))], version.sha256, path);
  const [full, diffs] = [wholeOf(version), await differencesTo(db, version.id)];
  const signed = signedFor(version, keys);
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000);
  return new Map(
    targets.map((target): [number, Payload | { unserved: string }] => {
      const device = found.get(target.deviceId);
      // Those that it isn't for, or not any more, end.
      if (device === undefined) return [target.deviceId, { unserved: 'productWrong' }];
      if (device.withheld !== null) return [target.deviceId, { unserved: device.withheld }];
      const gets = packageFor(full, diffs, target) ?? full;
      const linkTo = (sha256: string) => fileUrl(masterKey, { sn: target.sn, sha256, expiresAt });
      const signature = beside.get(device.product_id);
      return [
        target.deviceId,
        {
          package: signed(device.code, gets),
          releaseKey: keys.key,
          url: linkTo(gets.sha256),
          ...(signature && { detachedSignature: { ...signature, url: linkTo(signature.sha256) } }),
        },
      ];
    }),
  );
}

/** A trial is part of the review: asked for by who may decide it, and didn't write it. Faults: APP_TRIAL, APP_OWN_REVIEW, CHANGE_ONE_HAND. */
async function checkTrial(ctx: Ctx, version: Version): Promise<void> {
  const refused = (key: 'APP_TRIAL' | 'APP_OWN_REVIEW') => new Fault(key, { fields: { 'content.versionId': `fault.${key}` } });
  const isTheirs = version.dept_path.startsWith(ctx.scope.path) && ctx.actor.permissions.has('app:app:review');
  if (!isTheirs || !isTried(version)) throw refused('APP_TRIAL');
  if (isAuthor(ctx, version)) throw refused('APP_OWN_REVIEW');
  await checkHands(ctx, version);
}

/** Faults: APP_NOT_LISTED, APP_NOT_SUBSCRIBED, APP_PROFILE_*. */
async function checkListed(ctx: Ctx, version: Version, productId: number | null): Promise<void> {
  const refused = (key: 'APP_NOT_LISTED' | 'APP_NOT_SUBSCRIBED') => new Fault(key, { fields: { 'content.versionId': `fault.${key}` } });
  if (!isListed(version)) throw refused('APP_NOT_LISTED');
  await checkProfiles(ctx, version, productId);
  if (!(await mayRelease(ctx.db, version.id, ctx.scope.path, ctx.now()))) throw refused('APP_NOT_SUBSCRIBED');
}

/** Apps of the catalogue. A terminal may be in releases of several at once, of one package name in one. */
export const softAppRelease = (keys: () => Promise<ReleaseKeys>, app: Pick<AppContext, 'masterKey' | 'now'>): KindOfRelease => ({
  kind: {
    of: softAppKind,
    files: [],
    bySubject: true,
    ordered: true,
    differences: appDifferences,
    back: appBack,
    runs,
    // Who doesn't name all of its apps, or doesn't say how many there are, may have one that isn't named.
    seesAll: sql<boolean>`coalesce(jsonb_array_length(d.apps) = d.apps_in_all, false)`,
    current: (subject) => withParams(runs(subject), subject),
    has: (name, taskId) =>
      sql<string | null>`(select ${asReleased(taskId)} from device_app i where i.device_id = d.id and i.package_name = ${name})`,
    // It has gone where it was to be updated.
    again: (content) => {
      const { data } = SoftAppRelease.safeParse(content);
      return data?.action === 'update' ? { ...data, action: 'install' } : content;
    },
    besides: { of: androidParamKind, part: sql<string | null>`${androidParamKind.kind} || '.' || (t.content ->> 'templateId')` },
    fits: (subject) => sql<boolean>`(${isFitFor(subject)} and ${takesParams(subject)})`,
    // Its reviewers try it wherever it would run.
    withheld: ({ source, trial }) => (source === undefined || trial ? [] : withheldFrom(source, dayOf(app))),
    isNewer: ({ name, version }) =>
      sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name} and i.version_code > ${version}::bigint)`,
    subjectOf,
    async check(ctx, task) {
      const content = contentOf(task);
      if (content.action === 'uninstall') return;
      const version = await versionOf(ctx.db, content.versionId);
      if (content.action === 'trial') await checkTrial(ctx, version);
      else await checkListed(ctx, version, task.product_id);
      const template = templateIn(content);
      if (template !== null)
        await checkAlong(ctx.db, template, task.product_id === null ? await productsOf(ctx.db, version.id) : [task.product_id]);
    },
    along({ content }) {
      // Asked of each row of a list: one that nothing can be read of keeps the others from nobody.
      const { data } = SoftAppRelease.safeParse(content);
      return data && templateIn(data) !== null ? [androidParamKind] : [];
    },
    async lacking(ctx, task, deviceIds) {
      const template = templateIn(contentOf(task));
      return template === null ? new Map() : missingAt(ctx, app, template, deviceIds);
    },
    async filled(ctx, task) {
      const content = contentOf(task);
      const template = templateIn(content);
      const { noted } = template === null ? noneAlong : await templateAlong(ctx.db, template);
      if (content.action === 'uninstall') return { ...content, ...noted, versionId: null, versionName: '', versionCode: null };
      const { package_name, app_name, version_name, version_code } = await versionOf(ctx.db, content.versionId);
      return { ...content, ...noted, packageName: package_name, appName: app_name, versionName: version_name, versionCode: version_code };
    },
    async weigh({ db, unscoped }, task) {
      const { action, versionId } = contentOf(task);
      if (action === 'uninstall') return () => ({ gets: 'settings', bytes: 0 });
      const version = await versionOf(db, versionId);
      // Their owner's differences go to a subscriber's terminals too; what a person could enable is the owner's to see.
      const [diffs, idle] = [await unscoped((all) => differencesTo(all, version.id)), await idleDifferencesTo(db, version.id)];
      const full = wholeOf(version);
      return (current) => {
        // Of many terminals at once: what most of them can.
        const gets = packageFor(full, diffs, { current, unfit: false, capabilities: undefined }) ?? full;
        if (isWithout(current)) return { gets: 'params', bytes: 0, version: String(version.version_code) };
        const isIdle = !gets.from && current !== null && idle.has(current);
        return { gets: gets.from ? 'diff' : 'full', bytes: gets.size, ...(isIdle ? { idle: true } : {}) };
      };
    },
    async payloadsFor(db, { masterKey, now }, task, targets) {
      const content = contentOf(task);
      const { action, versionId, packageName, templateId } = content;
      if (action === 'uninstall')
        return new Map(targets.map((target): [number, Payload] => [target.deviceId, { uninstall: { packageName } }]));
      const version = await versionOf(db, versionId);
      const isTrial = action === 'trial';
      const isOut = isListed(version) || (isTrial && isTried(version));
      if (!isOut || !(await mayRelease(db, version.id, task.dept_path, now()))) return new Map();
      const reaches = isTrial ? isTriedOn(version.id) : isFor(version.id);
      const withheld = isTrial ? sql<null>`null` : whyWithheld(version.id, dayOf({ now }));
      const packages = await payloadsFor(db, masterKey, now(), version, targets, await keys(), { reaches, withheld, path: task.dept_path });
      return templateId === null ? packages : paramsAlong(db, { masterKey }, { ...content, templateId }, targets, packages);
    },
  },
  calls: { tasks: softAppTaskCalls, devices: softAppTaskDeviceCalls, differences: appDifferenceCalls },
});
