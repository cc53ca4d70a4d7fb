import type { ReadPackage } from '@mooring/apk/api';
import { LISTING_BASE, type Listing, type ListingText } from '@mooring/contract/app/schemas';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { approved, authorsOf } from './version-rows.ts';

const MOST = 20;
const language = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
const text = (name: string): ListingText => ({ name: name.trim().slice(0, 64) || '–', summary: '', description: '', whatsNew: '' });

/** What the package itself calls it, by language. */
export function listingOf({ label, labels, packageName }: Pick<ReadPackage['info'], 'label' | 'labels' | 'packageName'>): Listing {
  const base = labels[LISTING_BASE] || label || labels[''] || packageName;
  const others = Object.entries(labels).filter(([tag, name]) => language.test(tag) && tag !== LISTING_BASE && name.trim() !== '');
  return Object.fromEntries([[LISTING_BASE, text(base)], ...others.slice(0, MOST - 1).map(([tag, name]) => [tag, text(name)] as const)]);
}

interface Copied {
  readonly listing: Listing;
  readonly keep: {
    readonly columns: { readonly screenshots?: number[]; readonly scope?: string; readonly editor_ids?: number[] };
    /** What hangs on the version before it hangs on this one too. */
    readonly rows: (id: number, path: string) => Promise<void>;
  };
}

/** What a new version begins with: what the highest one before it said, but for what was new in it. */
export async function copyOf(db: Db, appId: number, info: ReadPackage['info']): Promise<Copied> {
  const before = await db
    .selectFrom('app_version')
    .select(['id', 'listing', 'screenshots', 'scope', 'review_state', 'created_by_id', 'edited_by_id', 'editor_ids', 'submitted_by_id'])
    .where('app_id', '=', appId)
    .where('deleted_at', 'is', null)
    .orderBy('version_code', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!before) return { listing: listingOf(info), keep: { columns: {}, rows: async () => {} } };
  const said = before.listing as unknown as Listing;
  const listing = Object.fromEntries(Object.entries(said).map(([tag, texts]) => [tag, { ...texts, whatsNew: '' }]));
  const rows = async (id: number, path: string) => {
    await sql`insert into app_version_product (version_id, product_id, dept_path) select ${id}, product_id, ${path} from app_version_product where version_id = ${before.id}`.execute(
      db,
    );
    await sql`insert into app_version_sn (version_id, sn, dept_path) select ${id}, sn, ${path} from app_version_sn where version_id = ${before.id}`.execute(
      db,
    );
    await sql`insert into app_version_file (version_id, file_id, dept_path) select ${id}, file_id, ${path} from app_version_file where version_id = ${before.id}`.execute(
      db,
    );
    await sql`insert into app_version_dept (version_id, dept_id, dept_path) select ${id}, dept_id, dept_path from app_version_dept where version_id = ${before.id}`.execute(
      db,
    );
  };
  // What was approved another person has judged; else who wrote it wrote of this one too.
  const editor_ids = before.review_state === approved ? [] : [...authorsOf(before)];
  return { listing, keep: { columns: { screenshots: before.screenshots.map(Number), scope: before.scope, editor_ids }, rows } };
}
