import { appPublishMachine, appReviewMachine } from '@mooring/contract/app/state-machines';
import { codeOf, codesOf } from '@mooring/contract/kit/state-machine';
import { compareVersions } from '@mooring/contract/shared/compare-versions';
import { dayOf } from '@mooring/contract/shared/date-range';
import type { VersionKind } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { ofProduct, type Running, type Where } from './figures.ts';

export interface Approved {
  readonly productId: number;
  readonly part: string;
  readonly partName: string;
  readonly version: string;
  readonly runs: string;
  /** The package, or the version of the app. */
  readonly id: number;
}
/** What is approved, by product and part. */
export type AllApproved = ReadonlyMap<string, Approved>;
type Of = Pick<Running, 'productId' | 'part'>;
const keyOf = ({ productId, part }: Of) => `${productId} ${part}`;
export const approvedFor = (all: AllApproved, of: Of): Approved | undefined => all.get(keyOf(of));
export const partNameOf = (all: AllApproved | undefined, productId: number, part: string): string =>
  (all && approvedFor(all, { productId, part })?.partName) || part;

/** Below what is approved; of an app whose code isn't known, nobody knows. */
export function isBehind(kind: VersionKind, { runs }: Pick<Running, 'runs'>, approved: Approved | undefined): boolean {
  if (!approved || runs === '') return false;
  return kind === 'app' ? Number(runs) < Number(approved.runs) : compareVersions(runs, approved.runs) < 0;
}

/** Published full packages. */
async function packages(db: Db, kind: VersionKind, { productId }: Where): Promise<readonly Approved[]> {
  const part = kind === 'module' ? sql`name` : sql`''`;
  const { rows } = await sql<Approved>`
    select id, product_id as "productId", ${part} as part, ${part} as "partName", version, version as runs from rollout_package
    where content = ${kind} and kind = 'TA' and publish_state in ('1', '3') and deleted_at is null ${ofProduct(productId)} order by id`.execute(
    db,
  );
  return rows;
}

const reviewed = codeOf(appReviewMachine, 'approved');
const listed = codesOf(appPublishMachine, ['published', 'partly']);
/** In the catalogue for all terminals of an organisation that the path is of, or that is below it, which may release them. */
async function versions({ db, now }: Pick<Ctx, 'db' | 'now'>, { path, productId }: Where): Promise<readonly Approved[]> {
  const { rows } = await sql<Approved>`
    select distinct on (p.product_id, v.package_name) v.id, p.product_id as "productId", v.package_name as part, a.name as "partName",
      coalesce(nullif(v.version_name, ''), v.version_code::text) as version, v.version_code::text as runs
    from app_version v join app_app a on a.id = v.app_id join app_version_product p on p.version_id = v.id
    where v.review_state = ${reviewed} and v.publish_state = any(${listed}::text[]) and v.deleted_at is null and v.channel = 'release' ${ofProduct(productId)}
      and app_may_release(v.id, ${path}, ${dayOf(now(), 'UTC')}::date)
      and exists (select from app_places(v.id) place where starts_with(${path}, place) or starts_with(place, ${path}))
    order by p.product_id, v.package_name, v.version_code desc, v.id desc`.execute(db);
  return rows;
}

/** What terminals should run, as far as it is seen from here. */
export async function approvedOf(ctx: Pick<Ctx, 'db' | 'now'>, where: Where & { readonly kind: VersionKind }): Promise<AllApproved> {
  const found = where.kind === 'app' ? await versions(ctx, where) : await packages(ctx.db, where.kind, where);
  const newest = new Map<string, Approved>();
  for (const one of found) {
    const known = newest.get(keyOf(one));
    if (!known || compareVersions(one.version, known.version) >= 0) newest.set(keyOf(one), one);
  }
  return newest;
}
