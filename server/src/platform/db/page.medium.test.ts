import type { PageInput } from '@mooring/contract/kit/page';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { page } from './page.ts';

let app: TestApp;
const ROWS = 237;

beforeAll(async () => {
  app = await testApp();
  // Names repeat, so that the id has to break ties; closed ones may have any name.
  await app.context.unscoped((db) =>
    sql`insert into org_dept (parent_id, dept_path, kind, state, name, created_at) select 2, '1.2.x' || n || '.', 'organisation', 'closed', 'N' || (n % 10), now() + (n % 7) * interval '1 microsecond' from generate_series(1, ${ROWS}) n`.execute(
      db,
    ),
  );
});
afterAll(() => app.stop());

const ask = (input: Partial<PageInput>) =>
  app.context.unscoped((db) =>
    page(db, db.selectFrom('org_dept').select(['id', 'name']).where('kind', '=', 'organisation'), {
      page: { size: 10, number: 1, sort: 'name', order: 'asc', ...input },
      sorts: { name: 'name', createdAt: 'created_at' },
      id: 'id',
      map: (row: { id: number; name: string }) => row.id,
    }),
  );

test('reading on by cursors meets every row once, in the order of a full sort, by each sort and size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('name', 'createdAt'),
      fc.constantFrom('asc', 'desc'),
      async (size, sort, order) => {
        const wanted = { size, sort, order: order as 'asc' | 'desc' };
        const met: number[] = [];
        let after: string | undefined;
        do {
          const found = await ask({ ...wanted, ...(after ? { after } : {}) });
          expect(found.total).toBe(ROWS);
          met.push(...found.content);
          after = found.next ?? undefined;
        } while (after);
        expect(met).toEqual((await ask({ ...wanted, size: 1000 })).content);
        expect(new Set(met).size).toBe(ROWS);
      },
    ),
    { numRuns: 12 },
  );
});

test('back from the last page meets the same rows as on from the first, and jumps land between', async () => {
  const whole = (await ask({ size: 1000 })).content;
  const last = await ask({ last: true });
  expect([last.content, last.number, last.next]).toEqual([whole.slice(230), 24, null]);
  const before = await ask({ before: last.prev ?? '' });
  expect(before.content).toEqual(whole.slice(220, 230));
  expect((await ask({ number: 5 })).content).toEqual(whole.slice(40, 50));
  const first = await ask({});
  expect([first.prev, first.content]).toEqual([null, whole.slice(0, 10)]);
});

test('the last page of more rows than are counted is full, says that there are more, and leads back', async () => {
  const MANY = 10_047;
  await app.context.unscoped((db) =>
    sql`insert into state_change (life, row_id, event, to_state, dept_path) select 'many', n, 'e', 't', '1.' from generate_series(1, ${MANY}) n`.execute(
      db,
    ),
  );
  const ask = (input: Partial<PageInput>) =>
    app.context.unscoped((db) =>
      page(db, db.selectFrom('state_change').select(['row_id']).where('life', '=', 'many'), {
        page: { size: 20, number: 1, sort: 'row', order: 'asc', ...input },
        sorts: { row: 'row_id' },
        id: 'row_id',
        map: (row: { row_id: number }) => row.row_id,
      }),
    );
  const from = (first: number, to: number) => Array.from({ length: to - first + 1 }, (_all, at) => first + at);
  const last = await ask({ last: true });
  expect({ ...last, prev: undefined }).toEqual({
    content: from(MANY - 19, MANY),
    total: 10_000,
    capped: true,
    number: 1,
    size: 20,
    next: null,
    prev: undefined,
  });
  const before = await ask({ before: last.prev ?? '' });
  expect([before.content, before.total, before.capped]).toEqual([from(MANY - 39, MANY - 20), 10_000, true]);
  expect((await ask({ after: before.next ?? '' })).content).toEqual(last.content);
});

test('a cursor of another sort, or none at all, is bad input', async () => {
  const { next } = await ask({});
  await expect(ask({ sort: 'createdAt', after: next ?? '' })).rejects.toMatchObject({ fault: 'BAD_INPUT' });
  await expect(ask({ after: 'eyJhIjoxfQ' })).rejects.toMatchObject({ fault: 'BAD_INPUT' });
});

test('of a scope whose weight is known each page is planned once and not anew', async () => {
  const plansOf = (isWeighed: boolean) =>
    app.context.unscoped(async (db) => {
      const query = db
        .selectFrom('org_dept')
        .select('id')
        .where(sql<boolean>`kind = 'organisation' and ${sql.lit(String(isWeighed))} <> ''`);
      const one = { page: { size: 10, number: 1, sort: 'name', order: 'asc' } as const, sorts: { name: 'name' }, id: 'id', isWeighed };
      for (let times = 0; times < 3; times += 1)
        await page(db, query, { ...one, total: sql<number>`237`, map: (row: { id: number }) => row.id });
      const plans = await sql<{ kept: number; anew: number }>`
        select generic_plans as kept, custom_plans as anew from pg_prepared_statements where statement like ${`%page_rows%'${isWeighed}'%`}`.execute(
        db,
      );
      return plans.rows;
    });
  expect(await plansOf(true)).toEqual([{ kept: 3, anew: 0 }]);
  expect(await plansOf(false)).toEqual([{ kept: 0, anew: 3 }]);
});
