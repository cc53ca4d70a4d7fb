import { appPublishMachine, appReviewMachine } from '@mooring/contract/app/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import { codeOf, codesOf } from '@mooring/contract/kit/state-machine';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import type { RowIn } from '../../platform/resource/resource.ts';

export type VersionRow = RowIn<'app_version'>;
export const reviewRows = statefulTable('app_version', appReviewMachine, 'review_state');
export const publishRows = statefulTable('app_version', appPublishMachine, 'publish_state');
export const [draft, awaiting, approved, rejected, delisted] = (['draft', 'awaiting', 'approved', 'rejected', 'delisted'] as const).map(
  (state) => codeOf(appReviewMachine, state),
) as [string, string, string, string, string];
/** Edited, they are drafts again. */
export const redrafted: readonly string[] = appReviewMachine.events.edit.from.map((state) => codeOf(appReviewMachine, state));
export const unpublished = codeOf(appPublishMachine, 'unpublished');
export const listedStates = codesOf(appPublishMachine, ['published', 'partly']);

type Named = Pick<VersionRow, 'package_name' | 'version_name' | 'version_code'>;
export const shortName = ({ version_name: name, version_code: code }: Omit<Named, 'package_name'>): string => name || String(code);
/** As its listing calls it in English; without one by its package. */
export const nameIn = ({ listing, package_name: name }: Pick<VersionRow, 'listing' | 'package_name'>): string =>
  (listing as unknown as { readonly en?: { readonly name: string } }).en?.name ?? name;
export const targetOf = (row: Named): string => `app version ${row.package_name} ${shortName(row)}`;

/** `edited_by_id` is what a server of the version before writes. */
export type Written = Pick<VersionRow, 'created_by_id' | 'edited_by_id' | 'editor_ids' | 'submitted_by_id'>;
/** Who brought it, handed it in as it stands, or wrote of what it says at any time. */
export const authorsOf = (row: Written): readonly number[] => [
  ...new Set([row.created_by_id, row.edited_by_id, row.submitted_by_id, ...row.editor_ids.map(Number)].filter((id) => id !== null)),
];

/** What is for tests is no subscriber's: it goes to the terminals that are listed for it. */
export const isForAll = (channel: string): boolean => channel === 'release';

/** Whoever writes versions of an app holds the app first: what is listed stays so meanwhile. */
export const holdApp = (db: Db, id: number) =>
  db.selectFrom('app_app').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** The same for one of its versions. */
export async function holdAppOf(db: Db, versionId: number): Promise<void> {
  const seen = await db.selectFrom('app_version').select('app_id').where('id', '=', versionId).executeTakeFirst();
  if (seen) await holdApp(db, seen.app_id);
}

/** A version of the actor's range, held until the act is done. Fault: NOT_FOUND, also where it is merely listed for them. */
export async function heldVersion(ctx: Ctx, db: Db, id: number): Promise<VersionRow> {
  const seen = await db.selectFrom('app_version').select('app_id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!seen) throw fault('NOT_FOUND');
  await holdApp(db, seen.app_id);
  const row = await db
    .selectFrom('app_version')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

/** Lists of apps and of versions show each other's. */
export async function changed(ctx: Ctx, db: Db, path: string): Promise<void> {
  for (const group of ['/softApp', '/appRelease']) await ctx.invalidate(db, group, path);
}
