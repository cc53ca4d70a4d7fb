import { SDK_FILE, Sdk, sdkCalls } from '@mooring/contract/app/sdk';
import { sdkMachine } from '@mooring/contract/app/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { resource } from '../../platform/resource/resource.ts';
import { forgetFile, freeFile, namedFiles } from '../file/api.ts';

const published = codeOf(sdkMachine, 'published');
const whileHidden = ({ publish_state }: { readonly publish_state: string }) => publish_state === published && 'SDK_PUBLISHED';

/** What isn't published is seen by whoever looks after SDKs, and by no other developer of the same organisation. */
export const shownSdk = ({ actor }: Pick<Ctx, 'actor'>, table: string) =>
  isAllowed(actor.permissions, sdkCalls.publish.can)
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${table}.publish_state`)} = ${published}`;

export const sdks = resource(Sdk, sdkCalls, {
  table: 'app_sdk',
  // Some dozens for each product.
  small: true,
  target: (row) => `SDK ${row.name} ${row.version}`,
  joined: (query, ctx) =>
    query
      .innerJoin('product_product as p', 'p.id', 't.product_id')
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .where(shownSdk(ctx, 't'))
      .select(['p.name as product_name', 'o.name as dept_name']),
  refuses: { update: whileHidden, delete: whileHidden },
  columns: async (ctx, { fileId }, { before, db }) => {
    const found = await namedFiles(ctx, [fileId], [SDK_FILE], (ids) =>
      db.selectFrom('app_sdk').select('file_id').where('file_id', 'in', ids).execute(),
    );
    const file = found.get(fileId);
    if (!file) throw fault('NOT_FOUND');
    const about = { file_name: file.name, size: file.size, sha256: file.sha256 };
    // The row names it until it is written, and somebody may be fetching it.
    if (before && before.file_id !== fileId) await freeFile(ctx, db, before.file_id);
    return before ? about : { ...about, created_by: ctx.actor.userName };
  },
  deleted: (ctx, row) => forgetFile(ctx, row.file_id),
});
