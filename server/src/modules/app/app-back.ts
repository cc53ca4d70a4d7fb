import { SoftAppRelease } from '@mooring/contract/app/release-calls';
import { type RawBuilder, sql } from 'kysely';
import { type BackOf, broughtBefore, type Had, type WayBack } from '../../engines/rollout/had-before.ts';
import type { Task } from '../../engines/rollout/task.ts';
import type { Ctx } from '../../platform/context.ts';
import { noneAlong } from '../paramfile/api.ts';
import { dayOf } from './subscription/taken.ts';
import { approved, listedStates } from './version-rows.ts';

interface Found {
  readonly id: number;
  readonly version_code: number;
  readonly version_name: string;
  readonly app_name: string;
  readonly listed: boolean;
}

/** Of another certificate: in parentheses, as a terminal's version is told (`ofSame`). */
const isOther = (had: string) => had.startsWith('(');
const isCode = (had: string | null): had is string => had !== null && /^\d+$/.test(had);

/** Versions that may be what terminals had, for what the release was for; the one to be sent last. */
async function found(ctx: Ctx, { subject, product_id }: Task, versionId: number | null, which: RawBuilder<boolean>) {
  const { rows } = await sql<Found>`
    select v.id, v.version_code, v.version_name, a.name as app_name, v.review_state = ${approved} and v.publish_state = any(${listedStates}::text[]) as listed
    from app_version v join app_app a on a.id = v.app_id left join app_version b on b.id = ${versionId}
    where v.package_name = ${subject} and v.deleted_at is null and ${which}
      and exists (select from app_version_product p where p.version_id = v.id and (${product_id}::bigint is null or p.product_id = ${product_id}))
    order by app_may_release(v.id, ${ctx.scope.path}, ${dayOf(ctx)}::date), v.app_id = b.app_id nulls first, v.id`.execute(ctx.db);
  return rows;
}

/** By code: of what was installed over, an earlier version by the same certificate; of what was removed, the version that is on record. */
async function earlier(ctx: Ctx, task: Task, had: readonly Had[]): Promise<ReadonlyMap<string, readonly Found[]>> {
  const { action, versionId } = SoftAppRelease.parse(task.content);
  const codes = had.map(({ version }) => version).filter(isCode);
  if (action !== 'uninstall') {
    const rows = await found(
      ctx,
      task,
      versionId,
      sql<boolean>`v.version_code = any(${codes}::bigint[]) and v.certificate_sha256 = b.certificate_sha256`,
    );
    return Map.groupBy(rows, (row) => String(row.version_code));
  }
  const records = await broughtBefore(ctx, task, had);
  const ids = [...records].map(([code, { content }]) => [code, SoftAppRelease.parse(content).versionId] as const);
  const rows = await found(ctx, task, null, sql<boolean>`v.id = any(${ids.map(([, id]) => id ?? 0)}::bigint[])`);
  return new Map(ids.map(([code, id]) => [code, rows.filter((row) => row.id === id && String(row.version_code) === code)]));
}

/** The version before, of the catalogue; who had none loses the app. */
export const appBack: BackOf = {
  async to(ctx, task, had) {
    const { appName } = SoftAppRelease.parse(task.content);
    const none = { ...noneAlong.noted, versionId: null, versionName: '', versionCode: null };
    const ways = new Map<string | null, WayBack>([
      [null, { content: { action: 'uninstall', packageName: task.subject, appName, ...none } }],
    ]);
    const versions = await earlier(ctx, task, had);
    for (const { version } of had) {
      if (version === null) continue;
      const of = versions.get(version) ?? [];
      const listed = of.findLast((row) => row.listed);
      if (listed) {
        const { id, version_code, version_name, app_name } = listed;
        const named = { packageName: task.subject, appName: app_name, versionName: version_name, versionCode: Number(version_code) };
        ways.set(version, { content: { action: 'install', versionId: id, ...named, ...noneAlong.noted } });
      } else if (isOther(version)) ways.set(version, { cant: 'otherCertificate' });
      else if (of.length > 0) ways.set(version, { cant: 'notPublished' });
    }
    return ways;
  },
};
