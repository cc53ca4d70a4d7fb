import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';
import { actOn, noteEntry } from './act.ts';
import { checkFiles, keepFiles } from './files.ts';
import { pathOf, sidesOf } from './sides.ts';
import { tell, tellNote } from './tell.ts';

const BOTH = ['customer', 'service'] as const;

/** Read through the policy of the order: both sides, and nobody else. */
export const entries: Handler<typeof orderCalls.entries> = async (ctx, { id, before, size }) => {
  const order = await ctx.db.selectFrom('order_order').select(['dept_path', 'partner_path']).where('id', '=', id).executeTakeFirst();
  if (!order) throw fault('NOT_FOUND');
  const sides = sidesOf(ctx.scope.path, order);
  const { rows } = await sql<{
    id: number;
    event: string | null;
    side: 'customer' | 'service';
    internal: boolean;
    text: string;
    by: string;
    at: Date;
    files: { id: number; name: string; size: number }[];
  }>`
    select e.id, e.event, e.side, e.internal, e.text, e.by_name as by, e.at from order_entry e
    where e.order_id = ${id} and (not e.internal or e.side = any(${sides}::text[])) and ${before === undefined ? sql`true` : sql`e.id < ${before}`} order by e.id desc limit ${size + 1}`.execute(
    ctx.db,
  );
  const shown = rows.slice(0, size);
  const files = await filesOf(ctx, id);
  return {
    content: shown.map((row) => ({
      ...row,
      ...fieldsIn(row),
      files: files.filter(({ entry }) => entry === row.id).map(({ entry: _of, ...file }) => file),
    })),
    next: rows.length > size ? (shown.at(-1)?.id ?? null) : null,
  };
};

/** What was changed of a new order is named in the words of whoever reads it. */
const fieldsIn = ({ event, text }: { readonly event: string | null; readonly text: string }) =>
  event === 'update' ? { text: '', fields: text.split(',') } : { fields: [] };

/** What hangs on messages. Names stand with the file, which is its uploader's: past the policy, after the order's own has let the actor in. */
async function filesOf(ctx: Parameters<Handler<typeof orderCalls.entries>>[0], order: number) {
  const own = await ctx.db
    .selectFrom('order_file')
    .select(['file_id', 'entry_id'])
    .where('order_id', '=', order)
    .where('entry_id', 'is not', null)
    .execute();
  if (own.length === 0) return [];
  const ids = own.map(({ file_id }) => file_id);
  const named = await ctx.unscoped((db) => db.selectFrom('file_file').select(['id', 'name', 'size']).where('id', 'in', ids).execute());
  const byId = new Map(named.map((one) => [one.id, one]));
  return own.flatMap(({ file_id, entry_id }) => {
    const file = byId.get(file_id);
    return file ? [{ id: file.id, name: file.name, size: Number(file.size), entry: entry_id }] : [];
  });
}

/** To the other side, or a note for the own one; with what is attached. */
export const say: Handler<typeof orderCalls.say> = async (ctx, { id, text, files, internal }) => {
  const seen = await ctx.inTx((db) => db.selectFrom('order_order').select('id').where('id', '=', id).executeTakeFirst());
  if (!seen) throw fault('NOT_FOUND');
  await ctx.inTx((db) => checkFiles(ctx, db, files, ATTACHMENT));
  await actOn(ctx, { id }, BOTH, async (db, row, side) => {
    const entry = await noteEntry(ctx, db, row, side, { event: null, text, internal });
    await keepFiles(db, internal ? { ...row, dept_path: pathOf(side, row) } : row, files, entry);
    await (internal ? tellNote(ctx, db, row, side) : tell(ctx, db, row, side, 'orderMessage'));
  });
  return null;
};
