import type { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import type { FileOwner, Handler } from '../../../platform/module.ts';
import { fileById } from '../file-queries.ts';
import { placesOf, toRead } from './used-among.ts';

/** Of one kind of place; the rest is counted. */
const MOST = 50;

const conditionOf = ({ column, gone, where }: Pick<FileOwner, 'column' | 'gone' | 'where'>, id: number) =>
  sql`${sql.ref(column)} = ${id} and ${gone ? sql`${sql.ref(gone)} is null` : sql`true`}
    and ${where ? sql`${sql.ref(where[0])} = ${where[1]}` : sql`true`}`;

/** As much as a search takes, in units of which a sign has two at most. */
const SEARCHED = 64;
/** Beside its list a row is opened where the list has it: it is searched for by its name. */
const linkTo = ({ at }: FileOwner['use'], row: { readonly id: number | null; readonly name: string | null }): string | null => {
  if (!at) return null;
  const text = at.path.endsWith('?row=') ? `&text=${encodeURIComponent([...(row.name ?? '')].slice(0, SEARCHED / 2).join(''))}` : '';
  return `${at.path}${row.id}${text}`;
};

/** Rows of a place that the actor sees, each by where it stands: several ways lead to one row. */
async function seenOf(ctx: Ctx, owner: FileOwner, id: number) {
  const { use, table, only } = owner;
  const { rows } = await sql<{ at: string; name: string | null; id: number | null }>`
    select ctid::text as at, ${use.name} as name, ${use.at?.id ?? sql`null::bigint`} as id from ${sql.table(table)}
    where ${conditionOf(owner, id)} and ${only?.(ctx) ?? sql`true`} limit ${MOST}`.execute(ctx.db);
  return rows.map((row) => ({
    key: `${table} ${owner.column} ${row.at}`,
    what: use.what,
    name: use.said?.(ctx.lang, row.name ?? '') ?? row.name ?? '–',
    link: linkTo(use, row),
  }));
}

/** All rows that name it, whoever may see them; background work too. */
async function countOf(db: Db, owners: readonly FileOwner[], id: number): Promise<number> {
  const parts = placesOf(owners).map((one) => sql`select count(*)::int as n from ${sql.table(one.table)} where ${conditionOf(one, id)}`);
  parts.push(sql`select count(*)::int ${toRead([id])}`);
  const { rows } = await sql<{ n: number }>`select sum(n)::int as n from (${sql.join(parts, sql` union all `)}) each`.execute(db);
  return rows[0]?.n ?? 0;
}

/** What keeps a file. Fault: NOT_FOUND. */
export const usesOf =
  (owners: () => readonly FileOwner[]): Handler<typeof uploadMonitorCalls.uses> =>
  async (ctx, { id }) => {
    if (!(await fileById(ctx.db, id))) throw fault('NOT_FOUND');
    const found = [];
    for (const owner of owners()) if (isAllowed(ctx.actor.permissions, owner.can)) found.push(...(await seenOf(ctx, owner, id)));
    const seen = new Map(found.map(({ key, ...use }) => [key, use]));
    const all = await ctx.unscoped((db) => countOf(db, owners(), id));
    // Several rows may be shown alike.
    const uses = [...new Map([...seen.values()].map((use) => [JSON.stringify(use), use])).values()];
    return { uses, others: Math.max(0, all - seen.size) };
  };
