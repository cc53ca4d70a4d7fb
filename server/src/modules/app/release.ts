import { softAppKind } from '@mooring/contract/app/app-kind';
import { SoftAppRelease, softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { LINK_HOURS } from '../../engines/rollout/packages/package-kind.ts';
import type { Payload, Subject, SubjectOf } from '../../engines/rollout/task.ts';
import type { Db } from '../../platform/context.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { dayOf } from './subscription/taken.ts';
import { approved, listedStates } from './version-rows.ts';

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

/** Brought by the organisation, or by one above or below it, or subscribed to. */
async function mayRelease(db: Db, version: number, path: string, now: Date): Promise<boolean> {
  const found = await sql<{ may: boolean }>`select app_may_release(${version}, ${path}, ${dayOf({ now: () => now })}::date) as may`.execute(
    db,
  );
  return found.rows[0]?.may === true;
}

async function subjectOf(db: Db, task: SubjectOf): Promise<Subject> {
  const { action, versionId, packageName } = contentOf(task);
  if (action === 'uninstall') return { name: packageName, version: null, productId: task.product_id };
  const { id, package_name, version_code } = await versionOf(db, versionId);
  return { name: package_name, version: String(version_code), productId: task.product_id, source: id, present: action === 'update' };
}

/** Devices `d` that a version is for: its products, and of those whomever it is listed for. */
const isFor = (version: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from app_version v join app_version_product p on p.version_id = v.id
  where v.id = ${version} and p.product_id = d.product_id and case v.scope
    when '2' then exists (select from app_version_sn s where s.version_id = v.id and s.sn = d.sn)
    else exists (select from app_places(${version}) place where starts_with(d.dept_path, place)) end)`;
const has = (name: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name})`;

/** Of an installed app `i`; one that doesn't say it is there all the same. */
const code = sql<string>`coalesce(i.version_code::text, '?')`;
/** An equal code by another certificate isn't that version. */
const ofSame = (
  version: number,
) => sql<string>`case when i.certificate <> (select v.certificate_sha256 from app_version v where v.id = ${version})
  then '(' || ${code} || ')' else ${code} end`;

const isSystem = (name: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name} and i.system)`;

/** Signed for each product: what a terminal may install, under which name and key. */
async function payloadsFor(
  db: Db,
  masterKey: Parameters<typeof fileUrl>[0],
  now: Date,
  version: Version,
  devices: readonly number[],
  { key, sign }: ReleaseKeys,
) {
  const { package_name, version_code, certificate_sha256, sha256, size } = version;
  const rows = await db
    .selectFrom('device as d')
    .innerJoin('product_product as p', 'p.id', 'd.product_id')
    .select(['d.id', 'd.sn', 'p.code'])
    .where('d.id', 'in', [...devices])
    // Moved meanwhile, or the version is for others by now.
    .where(isFor(version.id))
    .execute();
  const signed = new Map<string, ReturnType<typeof sign>>();
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000);
  const app = { packageName: package_name, versionCode: version_code, certificate: certificate_sha256 };
  // Those that it isn't for, or not any more, end.
  const others = devices.filter((id) => !rows.some((row) => row.id === id)).map((id) => [id, { unserved: 'productWrong' }] as const);
  return new Map<number, Payload | { unserved: string }>([
    ...others,
    ...rows.map(({ id, sn, code }): [number, Payload] => {
      const made =
        signed.get(code) ??
        sign({ product: code, kind: 'TA', version: String(version_code), base: null, size, sha256, content: softAppKind.kind, app });
      signed.set(code, made);
      return [
        id,
        { package: { ...made.manifest, signature: made.signature }, releaseKey: key, url: fileUrl(masterKey, { sn, sha256, expiresAt }) },
      ];
    }),
  ]);
}

/** Apps of the catalogue. A terminal may be in releases of several at once, of one package name in one. */
export const softAppRelease = (keys: () => Promise<ReleaseKeys>): KindOfRelease => ({
  kind: {
    of: softAppKind,
    files: [],
    bySubject: true,
    ordered: true,
    current: ({ name, source }) =>
      sql<
        string | null
      >`(select ${source === undefined ? code : ofSame(source)} from device_app i where i.device_id = d.id and i.package_name = ${name})`,
    held: sql<string | null>`(select ${code} from device_app i where i.device_id = d.id and i.package_name = t.subject)`,
    fits: ({ name, source, present }) =>
      // What the terminal can't do without stays.
      source === undefined
        ? sql<boolean>`not ${isSystem(name)}`
        : present
          ? sql<boolean>`(${isFor(source)} and ${has(name)})`
          : isFor(source),
    isNewer: ({ name, version }) =>
      sql<boolean>`exists (select from device_app i where i.device_id = d.id and i.package_name = ${name} and i.version_code > ${version}::bigint)`,
    subjectOf,
    async check(ctx, task) {
      const { action, versionId } = contentOf(task);
      if (action === 'uninstall') return;
      const version = await versionOf(ctx.db, versionId);
      if (!isListed(version)) throw new Fault('APP_NOT_LISTED', { fields: { 'content.versionId': 'fault.APP_NOT_LISTED' } });
      if (!(await mayRelease(ctx.db, version.id, ctx.scope.path, ctx.now())))
        throw new Fault('APP_NOT_SUBSCRIBED', { fields: { 'content.versionId': 'fault.APP_NOT_SUBSCRIBED' } });
    },
    async filled(ctx, task) {
      const content = contentOf(task);
      if (content.action === 'uninstall') return { ...content, versionId: null, versionName: '', versionCode: null };
      const { package_name, app_name, version_name, version_code } = await versionOf(ctx.db, content.versionId);
      return { ...content, packageName: package_name, appName: app_name, versionName: version_name, versionCode: version_code };
    },
    async weigh(db, task) {
      const { action, versionId } = contentOf(task);
      if (action === 'uninstall') return () => ({ gets: 'settings', bytes: 0 });
      const { size } = await versionOf(db, versionId);
      return () => ({ gets: 'full', bytes: size });
    },
    async payloadsFor(db, app, task, targets) {
      const { action, versionId, packageName } = contentOf(task);
      if (action === 'uninstall')
        return new Map(targets.map((target): [number, Payload] => [target.deviceId, { uninstall: { packageName } }]));
      const version = await versionOf(db, versionId);
      if (!isListed(version) || !(await mayRelease(db, version.id, task.dept_path, app.now()))) return new Map();
      return payloadsFor(
        db,
        app.masterKey,
        app.now(),
        version,
        targets.map((target) => target.deviceId),
        await keys(),
      );
    },
  },
  calls: { tasks: softAppTaskCalls, devices: softAppTaskDeviceCalls },
});
