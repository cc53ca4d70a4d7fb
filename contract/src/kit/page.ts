import { z } from 'zod';
import { Day, Id, metadata } from './schema.ts';

/** Specification, section 9: 10 rows unless the person chose otherwise. */
export const PAGE_SIZE = 10;
/** Totals are counted to here and shown as "10,000+" (design 1, "Speed by design"). */
export const COUNT_CAP = 10_000;
/** Offered to people; a program may ask for any up to the largest. */
export const PAGE_SIZES: readonly number[] = [PAGE_SIZE, 20, 50, 100, 200, 500, 1000, COUNT_CAP];
/** All that is counted fits on one page. */
export const PAGE_SIZE_MAX = 10_000;
const IN_MAX = 200;

/** Criteria of specification section 3: plain equality, `in`, `greaterThanOrEqual`, `lessThanOrEqual`. */
export const filter = {
  /** Matches a part of the text, any case. */
  text: (max = 64) => z.string().trim().min(1).max(max).register(metadata, { filter: 'text' }),
  /** One value or `in` several. */
  exact: <T extends z.ZodType>(of: T) => {
    const either = z.union([of, z.strictObject({ in: z.array(of).min(1).max(IN_MAX) })]);
    metadata.add(either, { filter: 'exact' });
    return either;
  },
  /** From and to, both included. */
  range: <T extends z.ZodType>(of: T) =>
    z.strictObject({ greaterThanOrEqual: of.optional(), lessThanOrEqual: of.optional() }).register(metadata, { filter: 'range' }),
  moment: () => filter.range(z.iso.datetime()),
  /** Days of the calendar, the same in every time zone. */
  days: () =>
    z.strictObject({ greaterThanOrEqual: Day.optional(), lessThanOrEqual: Day.optional() }).register(metadata, { filter: 'days' }),
};

export type Exact<T> = T | { in: T[] };
export interface Range<T> {
  greaterThanOrEqual?: T | undefined;
  lessThanOrEqual?: T | undefined;
}

type Optional<F extends Record<string, z.ZodType>> = { [K in keyof F]: z.ZodOptional<F[K]> };

/** The criteria alone, for exports and bulk work. */
export const criteriaOf = <F extends Record<string, z.ZodType>>(filters: F) =>
  z.strictObject(Object.fromEntries(Object.entries(filters).map(([key, of]) => [key, of.optional()])) as Optional<F>);

/** What every list takes. Declared once: there are hundreds of lists, and each schema of its own would stay in memory. */
const paging = {
  size: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
  number: z.int().min(1).max(1_000_000).default(1),
  /** Keyset cursors of an earlier answer; `last` asks for the last page. */
  after: z.string().max(512).optional(),
  before: z.string().max(512).optional(),
  last: z.boolean().optional(),
};
const Order = z.enum(['asc', 'desc']);

/** `{ criteria, page }` of a list. Sorting is offered only by the named fields; the first is the default, descending with `-`. */
export function pageQuery<F extends Record<string, z.ZodType>, const S extends readonly [string, ...string[]]>(filters: F, sort: S) {
  const codes = sort.map((one) => one.replace(/^-/, '')) as [string, ...string[]];
  const first = codes[0];
  return z.strictObject({
    criteria: criteriaOf(filters).default({} as never),
    page: z
      .strictObject({
        ...paging,
        sort: z.enum(codes).default(first),
        order: Order.default(sort[0].startsWith('-') ? 'desc' : 'asc'),
      })
      .prefault({}),
  });
}

const paged = {
  total: z.int(),
  capped: z.boolean(),
  number: z.int(),
  size: z.int(),
  next: z.string().nullable(),
  prev: z.string().nullable(),
};

/** A page of rows. `total` is exact up to COUNT_CAP and `capped` above; `next` and `prev` are cursors. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ content: z.array(item), ...paged });

export interface PageInput {
  size: number;
  number: number;
  sort: string;
  order: 'asc' | 'desc';
  after?: string | undefined;
  before?: string | undefined;
  last?: boolean | undefined;
}
export interface Page<T> {
  content: T[];
  total: number;
  capped: boolean;
  number: number;
  size: number;
  next: string | null;
  prev: string | null;
}

const Named = z.strictObject({ ids: z.array(Id).min(1).max(PAGE_SIZE_MAX) });
const Excepted = z.array(Id).max(PAGE_SIZE_MAX).default([]);
/** What a bulk act is done to: named rows, or everything that matches but the excepted ones. */
export const selectionOf = <C extends z.ZodType>(criteria: C) => z.union([Named, z.strictObject({ criteria, except: Excepted })]);
const Preview = z.boolean().default(false);

/** Input of a bulk act; with `preview` nothing happens and the answer says what would. */
export const bulkOf = <C extends z.ZodType>(criteria: C) => z.strictObject({ of: selectionOf(criteria), preview: Preview });

/** `work` is set when the act is too large for one call and goes on in the background (task centre). */
export const BulkOutcome = z.object({
  total: z.int(),
  done: z.int(),
  refused: z.int(),
  failed: z.array(z.object({ id: Id, label: z.string(), fault: z.string() })),
  work: Id.nullable(),
});
export type BulkOutcome = z.infer<typeof BulkOutcome>;
