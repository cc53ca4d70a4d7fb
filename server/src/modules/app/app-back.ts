import { sql } from 'kysely';
import type { BackOf, WayBack } from '../../engines/rollout/previous-versions.ts';
import { noneAlong } from '../paramfile/api.ts';
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

/** The version before, of the catalogue; who had none loses the app. */
export const appBack: BackOf = {
  async to(ctx, { subject, content }, had) {
    const given = content as { readonly appName?: string };
    const codes = had.filter((one) => one !== null && /^\d+$/.test(one));
    const { rows } = await sql<Found>`
      select v.id, v.version_code, v.version_name, a.name as app_name, v.review_state = ${approved} and v.publish_state = any(${listedStates}::text[]) as listed
      from app_version v join app_app a on a.id = v.app_id where v.package_name = ${subject} and v.version_code = any(${codes}::bigint[]) and v.deleted_at is null
      order by v.id`.execute(ctx.db);
    const none = { ...noneAlong.noted, versionId: null, versionName: '', versionCode: null };
    const removal = { action: 'uninstall', packageName: subject, appName: given.appName ?? '', ...none };
    return new Map(
      had.map((one): [string | null, WayBack] => {
        if (one === null) return [one, { content: removal }];
        if (isOther(one)) return [one, { cant: 'otherCertificate' }];
        const versions = rows.filter((row) => String(row.version_code) === one);
        const listed = versions.findLast((row) => row.listed);
        if (!listed) return [one, { cant: versions.length > 0 ? 'notPublished' : 'noRecord' }];
        const { id, version_code, version_name, app_name } = listed;
        const named = { packageName: subject, appName: app_name, versionName: version_name, versionCode: Number(version_code) };
        return [one, { content: { action: 'install', versionId: id, ...named, ...noneAlong.noted } }];
      }),
    );
  },
};
