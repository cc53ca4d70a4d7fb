import type { appVersionCalls } from '@mooring/contract/app/calls';
import { PICTURE } from '@mooring/contract/file/kinds';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { linksIn, picturesIn, refusedLink } from '@mooring/contract/shared/markdown';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { forgetFile, namedFiles } from '../file/api.ts';
import { isForTests, refused } from './check-package.ts';
import { checkFollowing, checkProducts } from './listed.ts';
import { redraft } from './review-rows.ts';
import { authorsOf, changed, draft, heldVersion, isForAll, redrafted, targetOf, type VersionRow } from './version-rows.ts';

type Input = ParsedInputOf<typeof appVersionCalls.update>;
const wrong = (name: string, text: string) => new Fault('BAD_INPUT', { fields: { [name]: text } });

/** Of what the texts link to nothing is on this server, and nothing is shown in them. */
function checkTexts({ listing }: Input): void {
  for (const { description, whatsNew } of Object.values(listing))
    for (const text of [description, whatsNew])
      if (refusedLink(text) !== undefined || picturesIn(text).length > 0 || linksIn(text).some((href) => href.startsWith('/')))
        throw wrong('listing', 'invalid.text.link');
}

/** Whom it is for stands at or below its owner. */
export async function checkAudience(
  db: Db,
  row: Pick<VersionRow, 'dept_path'>,
  { channel, scope, deptIds, sns }: Pick<Input, 'channel' | 'scope' | 'deptIds' | 'sns'>,
): Promise<void> {
  // What is for tests reaches the terminals that are named for it, and nobody's shop.
  if (!isForAll(channel) && scope !== '2') throw refused('APP_TEST_SCOPE', {}, 'scope');
  if (scope === '1') {
    if (deptIds.length === 0) throw wrong('deptIds', 'invalid.required');
    const found = await db.selectFrom('org_dept').select(['id', 'dept_path']).where('id', 'in', deptIds).execute();
    if (found.some(({ dept_path: path }) => !path.startsWith(row.dept_path))) throw wrong('deptIds', 'fault.NOT_FOUND');
  }
  if (scope !== '2') return;
  if (sns.length === 0) throw wrong('sns', 'invalid.required');
  const known = await db.selectFrom('device').select(['sn', 'dept_path']).where('sn', 'in', sns).where('deleted_at', 'is', null).execute();
  const own = new Set(known.filter(({ dept_path: path }) => path.startsWith(row.dept_path)).map(({ sn }) => sn));
  const foreign = sns.find((sn) => !own.has(sn));
  if (foreign !== undefined) throw refused('APP_SN_UNKNOWN', { sn: foreign }, 'sns');
}

async function keepAudience(db: Db, { id, dept_path }: VersionRow, { productIds, scope, deptIds, sns }: Input): Promise<void> {
  for (const table of ['app_version_product', 'app_version_dept', 'app_version_sn'] as const)
    await db.deleteFrom(table).where('version_id', '=', id).execute();
  const products = [...new Set(productIds)].map((product_id) => ({ version_id: id, product_id, dept_path }));
  if (products.length > 0) await db.insertInto('app_version_product').values(products).execute();
  if (scope === '1')
    await sql`insert into app_version_dept (version_id, dept_id, dept_path)
      select ${id}, d.id, d.dept_path from org_dept d where d.id = any(${deptIds}::bigint[])`.execute(db);
  const serials = [...new Set(sns)].map((sn) => ({ version_id: id, sn, dept_path }));
  if (scope === '2') await db.insertInto('app_version_sn').values(serials).execute();
}

async function keepScreenshots(ctx: Ctx, { id, dept_path }: VersionRow, named: readonly number[]): Promise<number[]> {
  const files = [...new Set(named)];
  await namedFiles(ctx, files, [PICTURE], (ids) =>
    ctx.db.selectFrom('app_version_file').select('file_id').where('file_id', 'in', ids).execute(),
  );
  await ctx.db.deleteFrom('app_version_file').where('version_id', '=', id).execute();
  const rows = files.map((file_id) => ({ version_id: id, file_id, dept_path }));
  if (rows.length > 0)
    await unlessRefused(
      ctx.db,
      () => ctx.db.insertInto('app_version_file').values(rows).execute(),
      ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
    );
  return files;
}

/** What is said of a version, while it is a draft; one that was sent back or taken out is a draft again from then on. */
export async function updateVersion(ctx: Ctx, input: Input): Promise<void> {
  const row = await heldVersion(ctx, ctx.db, input.id);
  if (row.review_state !== draft && !redrafted.includes(row.review_state)) throw new Fault('APP_VERSION_FIXED');
  checkTexts(input);
  if (input.channel === 'release' && isForTests({ debuggable: row.debuggable, testOnly: row.test_only }, row.public_test_key))
    throw refused('APP_TEST_ONLY', {}, 'channel');
  // What was listed in a channel binds those that come after it there.
  if (input.channel !== row.channel && row.listed_at) throw refused('APP_CHANNEL_LISTED', {}, 'channel');
  if (input.channel !== row.channel) await checkFollowing(ctx.db, row.app_id, { ...row, channel: input.channel }, 'channel');
  await checkProducts(ctx.db, row, input.productIds, 'productIds');
  await checkAudience(ctx.db, row, input);
  const screenshots = await keepScreenshots(ctx, row, input.screenshots);
  await keepAudience(ctx.db, row, input);
  await redraft(ctx, ctx.db, row);
  const { channel, scope } = input;
  const me = ctx.actor.userId;
  const listing = JSON.stringify(input.listing);
  await ctx.db
    .updateTable('app_version')
    .set({
      listing,
      screenshots,
      channel,
      scope,
      edited_at: ctx.now(),
      edited_by_id: me,
      editor_ids: [...new Set([...authorsOf(row), me])],
    })
    .where('id', '=', row.id)
    .execute();
  for (const id of row.screenshots.map(Number)) if (!screenshots.includes(id)) await forgetFile(ctx, id);
  await changed(ctx, ctx.db, row.dept_path);
  const { id: _id, revision: _revision, ...after } = input;
  ctx.audit({ target: targetOf(row), before: { listing: row.listing, channel: row.channel, scope: row.scope }, after });
}
