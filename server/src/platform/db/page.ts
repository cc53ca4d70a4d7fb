import { fault } from '@mooring/contract/kit/fault';
import { COUNT_CAP, PAGE_SIZES, type Page, type PageInput } from '@mooring/contract/kit/page';
import { type CompiledQuery, type QueryResult, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../context.ts';

export interface PageOptions<Row, Item> {
  readonly page: PageInput;
  /** Sort code → column; never null, or the cursor would skip rows. */
  readonly sorts: Readonly<Record<string, string>>;
  /** Unique last column of every order. */
  readonly id: string;
  readonly map: (row: Row) => Item;
  /**
   * Where `query` only says which rows stand on the page: what is shown of them, by its `id`. A wide row is read only where it is shown.
   * It may ask for `pageIds` where something is found by all of them at once.
   */
  readonly shown?: () => unknown;
  /** Where counters know the total: saves counting rows. */
  readonly total?: RawBuilder<number>;
  /** Told the total before it is capped. */
  readonly seen?: (total: number) => void;
  /** Whether a plan may be kept for all scopes of this one's weight. */
  readonly isWeighed?: boolean;
  /** A name for `query` where it has no parameters: the statement of its first page, which is asked most of all, is made once. */
  readonly plain?: string;
}

/** The ids of the rows on the page, inside of `shown`. */
export const pageIds = sql<number[]>`array(select page_id from page_rows)`;

type Any = SelectQueryBuilder<never, never, Record<string, unknown>>;

const made = new Map<string, CompiledQuery<unknown>>();
function madeOnce(key: string, make: () => CompiledQuery<unknown>): CompiledQuery<unknown> {
  const statement = made.get(key) ?? make();
  made.set(key, statement);
  return statement;
}

interface Cursor {
  readonly sort: string;
  readonly key: string;
  readonly id: number;
}
const encode = (cursor: Cursor) => Buffer.from(JSON.stringify([cursor.sort, cursor.key, cursor.id])).toString('base64url');
function decode(text: string, sort: string): Cursor {
  try {
    const [of, key, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (of === sort && typeof key === 'string' && Number.isSafeInteger(id)) return { sort, key, id: id as number };
  } catch {
    // answered below, like any other cursor that isn't ours
  }
  throw fault('BAD_INPUT');
}

/**
 * A page by keyset: a cursor reads on from a row, whatever its depth; a bare number jumps by offset inside the counted 10,000.
 * `query` carries from, joins, conditions and columns, no order.
 */
export async function page<Row, Item>(db: Db, query: unknown, options: PageOptions<Row, Item>): Promise<Page<Item>> {
  const { page: wanted, sorts, id } = options;
  const column = sorts[wanted.sort];
  if (!column) throw fault('BAD_INPUT');
  const base = query as Any;
  const total = options.total ?? countedUpTo(base, COUNT_CAP + 1);
  const count = async () => (await sql<{ n: number }>`select ${total} as n`.execute(db)).rows[0]?.n ?? 0;
  const backward = wanted.before !== undefined || wanted.last === true;
  const down = (wanted.order === 'desc') !== backward;
  const counted = wanted.last ? await count() : undefined;
  const lastSize = counted !== undefined && counted <= COUNT_CAP ? counted % wanted.size || wanted.size : wanted.size;
  const limit = wanted.last ? lastSize : wanted.size;

  const text = wanted.after ?? wanted.before;
  const skipped = text === undefined && !wanted.last ? (wanted.number - 1) * wanted.size : 0;
  if (skipped > COUNT_CAP) throw fault('BAD_INPUT');
  // A limit that is a parameter is planned anew for each page, which may take longer than the page (seen: 7 ms for 1 ms). Few sizes are offered.
  const isKept = options.isWeighed === true && PAGE_SIZES.includes(limit);
  const statement = () => {
    let rows = base.select(sql.ref(column).as('page_sort')).select(sql<number>`${sql.ref(id)}`.as('page_id'));
    if (text !== undefined) {
      const at = decode(text, wanted.sort);
      rows = rows.where(sql<boolean>`(${sql.ref(column)}, ${sql.ref(id)}) ${sql.raw(down ? '<' : '>')} (${at.key}, ${at.id})`);
    } else if (skipped > 0) rows = rows.offset(skipped);
    const direction = sql.raw(down ? 'desc' : 'asc');
    const asked = rows
      .orderBy(sql`${sql.ref(column)} ${direction}`)
      .orderBy(sql`${sql.ref(id)} ${direction}`)
      .limit(isKept ? sql.lit(limit + 1) : limit + 1);
    // The key's text is made of the rows that are shown, not of all that are sorted.
    const of = options.shown ? sql`join (${options.shown() as Any}) r on r.id = p.page_id` : sql``;
    const columns = sql.raw(options.shown ? 'r.*, p.page_id' : 'p.*');
    return sql`
    with page_rows as (${asked})
    select ${columns}, p.page_sort::text as page_key, ${counted ?? total}::bigint as page_total
    from page_rows p ${of} order by p.page_sort ${direction}, p.page_id ${direction}`.compile(db);
  };
  const isFirst = text === undefined && skipped === 0 && !wanted.last;
  const { rows: found } = (await db.executeQuery(
    options.plain && isKept && isFirst ? madeOnce(`${options.plain} ${column} ${down} ${limit}`, statement) : statement(),
  )) as QueryResult<Row & { page_key: string; page_id: number; page_total: number }>;
  const more = found.length > limit;
  const shown = found.slice(0, limit);
  if (backward) shown.reverse();
  const first = shown[0];
  const last = shown.at(-1);
  const whole = !more && text === undefined && !backward;
  const isCounted = whole && (shown.length > 0 || wanted.number === 1);
  const matching = isCounted ? skipped + shown.length : (counted ?? first?.page_total ?? (await count()));
  options.seen?.(matching);
  const cursor = (row: typeof first) => (row ? encode({ sort: wanted.sort, key: row.page_key, id: row.page_id }) : null);
  const hasPrev = backward ? more && !(wanted.last && matching <= wanted.size) : wanted.after !== undefined || wanted.number > 1;
  const hasNext = backward ? !wanted.last : more;
  return {
    content: shown.map(options.map),
    total: Math.min(matching, COUNT_CAP),
    capped: matching > COUNT_CAP,
    number: wanted.last && matching <= COUNT_CAP ? Math.max(1, Math.ceil(matching / wanted.size)) : wanted.number,
    size: wanted.size,
    next: hasNext ? cursor(last) : null,
    prev: hasPrev ? cursor(first) : null,
  };
}

/** How many rows match; stops counting at `cap`. */
function countedUpTo(query: unknown, cap: number): RawBuilder<number> {
  const inner = (query as Any).clearSelect().clearOrderBy().select(sql`1`.as('one')).limit(cap);
  return sql<number>`(select count(*) from (${inner}) counted)`;
}

export async function countUpTo(db: Db, query: unknown, cap: number): Promise<number> {
  const result = await sql<{ n: number }>`select ${countedUpTo(query, cap)} as n`.execute(db);
  return result.rows[0]?.n ?? 0;
}
