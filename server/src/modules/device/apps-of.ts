import { softAppKind } from '@mooring/contract/app/app-kind';
import { SoftAppRelease } from '@mooring/contract/app/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import type { z } from 'zod';
import { type ReleasedPart, releasedParts } from '../../engines/rollout/released-parts.ts';
import type { Db } from '../../platform/context.ts';

type App = z.input<typeof DeviceDetail>['apps'][number];

const contentOf = ({ content }: ReleasedPart) => SoftAppRelease.safeParse(content).data;

function releaseOf(last: ReleasedPart): NonNullable<App['release']> {
  const { taskId, taskName, version } = last;
  const { versionName = '' } = contentOf(last) ?? {};
  return { taskId, taskName, versionName, versionCode: version === null ? null : Number(version) };
}

/** By version: the certificates of what was released, also those before a rotation, as far as these versions are seen. */
async function signersOf(db: Db, released: Iterable<ReleasedPart>): Promise<ReadonlyMap<number, readonly string[]>> {
  const ids = [...released].flatMap((one) => contentOf(one)?.versionId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('app_version').select(['id', 'certificate_sha256', 'lineage']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, certificate_sha256: own, lineage }) => [id, [own, ...lineage]]));
}

/** Apps that a terminal says it has, beside what was last released of each; then those that were installed by a release and are gone. */
export async function appsOf(db: Db, deviceId: number): Promise<App[]> {
  const rows = await db.selectFrom('device_app').selectAll().where('device_id', '=', deviceId).orderBy('package_name').execute();
  const released = new Map((await releasedParts(db, softAppKind.kind, deviceId)).map((one) => [one.part, one]));
  const signers = await signersOf(db, released.values());
  /** An equal code by another certificate isn't what was released. */
  const isOther = (last: ReleasedPart, certificate: string | null) => {
    const known = signers.get(contentOf(last)?.versionId ?? 0);
    return known !== undefined && certificate !== null && !known.includes(certificate);
  };
  const there = rows.map((one): App => {
    const last = released.get(one.package_name);
    released.delete(one.package_name);
    return {
      packageName: one.package_name,
      name: one.name,
      installed: true,
      versionName: one.version_name,
      versionCode: one.version_code,
      certificate: one.certificate,
      system: one.system,
      since: one.since,
      release: last ? releaseOf(last) : null,
      differs: last !== undefined && ((last.version ?? '') !== String(one.version_code ?? '') || isOther(last, one.certificate)),
    };
  });
  const gone = [...released.values()].flatMap((last): App[] =>
    last.version === null
      ? []
      : [
          {
            packageName: last.part,
            name: contentOf(last)?.appName || null,
            installed: false,
            versionName: '',
            versionCode: null,
            certificate: null,
            system: false,
            since: null,
            release: releaseOf(last),
            differs: true,
          },
        ],
  );
  return [...there, ...gone];
}
