import type { appVersionCalls } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { bulkEach } from '../../platform/bulk-each.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { shortName } from './version-rows.ts';

type Calls = typeof appVersionCalls;
type Versions = Resource<typeof AppVersion>;
type Of = Parameters<Handler<Calls['submitMany']>>[1]['of'];
const MOST = 1000;

/** Those that are meant, as the list shows them. */
async function chosen(ctx: Ctx, versions: Versions, of: Of) {
  const page = versions.routes.find(({ call }) => call.name === 'page')?.handler as Handler<Calls['page']>;
  return ctx.withScope(async (inner) => {
    if ('ids' in of) {
      if (of.ids.length > MOST) throw fault('TOO_LARGE');
      const rows = [];
      for (const id of new Set(of.ids)) rows.push(await versions.read(inner, id));
      return rows;
    }
    const input = { criteria: of.criteria, page: { size: MOST + 1, number: 1, sort: 'createdAt', order: 'asc' as const } };
    const { content } = await page(inner, input as never, undefined as never);
    if (content.length > MOST) throw fault('TOO_LARGE');
    return content.filter(({ id }) => !of.except.includes(id));
  });
}

/** Of several at once nothing is said to one of them, and nothing given. */
const said = { comment: '', files: [] };

type Act = 'submit' | 'delist' | 'delete';
/** One act on each of several; those that it isn't for are named. */
export function manyVersions(versions: () => Versions): { readonly [K in `${Act}Many`]: Handler<Calls[K]> } {
  const each = async (ctx: Ctx, act: Act, of: Of, preview: boolean, more: object = {}): Promise<BulkOutcome> => {
    const found = await chosen(ctx, versions(), of);
    const handler = versions().routes.find(({ call }) => call.name === act)?.handler;
    if (!handler) throw new Error(`nobody says how to ${act}`);
    const rows = found.map((row) => ({
      id: row.id,
      label: `${row.packageName} ${shortName({ version_name: row.versionName, version_code: row.versionCode })}`,
      may: row.allowedActions.includes(act),
    }));
    return bulkEach(ctx, rows, {
      preview,
      fits: ({ may }) => may,
      fault: 'OVERTAKEN',
      act: (inner, { id }) => handler(inner, { id, ...said, ...more } as never, undefined as never),
    });
  };
  return {
    submitMany: (ctx, { of, preview }) => each(ctx, 'submit', of, preview),
    delistMany: (ctx, { of, preview, comment }) => each(ctx, 'delist', of, preview, { comment }),
    deleteMany: (ctx, { of, preview }) => each(ctx, 'delete', of, preview),
  };
}
