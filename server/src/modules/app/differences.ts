import { softAppKind } from '@mooring/contract/app/app-kind';
import { MOST_IMAGE_BYTES } from '@mooring/contract/engines/rollout/difference-calls';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { MOST_OLDER } from '../../engines/rollout/differences/bases.ts';
import { type DifferenceRow, enabledTo, formOf, idleTo } from '../../engines/rollout/differences/difference-queries.ts';
import { dropDifferencesTo } from '../../engines/rollout/differences/move-difference.ts';
import type { DifferenceSource, Version } from '../../engines/rollout/differences/source.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { DROP_BLOB } from '../file/api.ts';
import { approved, listedStates, type VersionRow } from './version-rows.ts';

const versions = sql<Version>`(
  select v.id, v.package_name as name, v.version_code::text as version,
    case when v.version_name = '' then v.version_code::text else v.version_name || ' (' || v.version_code || ')' end as shown,
    a.name || ' ' || coalesce(nullif(v.version_name, ''), v.version_code::text) as label, null::bigint as product_id, ''::text as product_code,
    v.size, v.sha256, v.certificate_sha256 as certificate, v.review_state = ${approved} and v.publish_state in (${sql.join(listedStates)}) as open, v.dept_id, v.dept_path
  from app_version v join app_app a on a.id = v.app_id where v.deleted_at is null)`;

/** Versions that were in the catalogue once, and that terminals may still run; signed by the same key, or by one that the new version proves to follow. */
async function basesOf({ db }: Pick<Ctx, 'db'>, target: Version): Promise<readonly Version[]> {
  return db
    .selectFrom('app_version as t')
    .innerJoin('app_version as o', 'o.app_id', 't.app_id')
    .innerJoin(versions.as('f'), 'f.id', 'o.id')
    .selectAll('f')
    .where('t.id', '=', target.id)
    .whereRef('o.version_code', '<', 't.version_code')
    .where('o.listed_at', 'is not', null)
    .where(sql<boolean>`(o.certificate_sha256 = t.certificate_sha256 or o.certificate_sha256 = any(t.lineage))`)
    .where('f.size', '<=', MOST_IMAGE_BYTES)
    .orderBy('o.version_code', 'desc')
    .limit(MOST_OLDER)
    .execute();
}

/** Differences between versions of an app: of their packages as they are, and of what is in them. */
export const appDifferences: DifferenceSource = {
  content: softAppKind.kind,
  group: '/appDiff',
  can: 'app:dev:submit',
  forms: ['image', 'entries'],
  pair: (app_version_id, app_base_id) => ({ app_version_id, app_base_id }),
  versions,
  needs: ({ form }) => (form === 'entries' ? 'appDiffEntries' : 'appDiff'),
  refuse({ open }) {
    if (!open) throw new Fault('APP_NOT_LISTED');
  },
  bases: basesOf,
  async devicesOn({ db, scope: { path } }, { name }, older) {
    const rows = await sql<{ version: string; n: number }>`
      select version_code::text as version, count(*)::int as n from device_app
      where package_name = ${name} and dept_path >= ${path} and dept_path < ${`${path}~`} and version_code = any(${older}::text[]::bigint[]) group by 1`.execute(
      db,
    );
    return new Map(rows.rows.map((row) => [row.version, row.n]));
  },
};

/** What a terminal has installed says its code, in brackets where another key signed it than the new version's. */
const heldAs = ({ base, certificate, base_certificate }: Pick<DifferenceRow, 'base' | 'certificate' | 'base_certificate'>): string =>
  certificate === base_certificate ? base : `(${base})`;

export interface AppPackage {
  readonly needs: string | undefined;
  readonly size: number;
  readonly sha256: string;
  /** Of a difference: the version code that it starts from, and what comes of it. */
  readonly from?: { readonly base: string; readonly fullSize: number; readonly fullSha256: string };
}

/** Differences to a version that terminals may get now, by what one starts from; the smallest first. */
export async function differencesTo(db: Db, version: number): Promise<ReadonlyMap<string, readonly AppPackage[]>> {
  const rows = (await enabledTo(db, appDifferences, version)).sort((a, b) => a.size - b.size);
  const made = rows.map((row) => ({
    held: heldAs(row),
    needs: appDifferences.needs({ form: formOf(row), frames: row.frames }),
    size: row.size,
    sha256: row.sha256 ?? '',
    from: { base: row.base, fullSize: row.full_size, fullSha256: row.full_sha256 },
  }));
  return Map.groupBy(made, ({ held }) => held);
}

/** What was taken out of the catalogue is led to no more. */
export async function dropDifferences(ctx: Ctx, { id, dept_path }: Pick<VersionRow, 'id' | 'dept_path'>): Promise<void> {
  for (const sha256 of await dropDifferencesTo(ctx.db, appDifferences, id)) await ctx.enqueue(ctx.db, DROP_BLOB, { sha256 });
  await ctx.invalidate(ctx.db, appDifferences.group, dept_path);
}

export const idleDifferencesTo = (db: Db, version: number): Promise<ReadonlySet<string>> => idleTo(db, appDifferences, version, heldAs);
