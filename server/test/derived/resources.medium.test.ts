import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, columnOf, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { textTables } from '@mooring/contract/texts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeModules } from '../../src/modules/modules.ts';
import type { Resource } from '../../src/platform/resource/resource.ts';
import { type TestApp, testApp } from '../test-app.ts';

/** What a row's declaration promises of its table and its texts. */

let app: TestApp;
let resources: readonly Resource[] = [];
beforeAll(async () => {
  app = await testApp();
  resources = makeModules(app.context).modules.flatMap((module) => module.resources ?? []);
});
afterAll(() => app.stop());

const fieldsOf = (of: AnyEntity): [string, Field][] => Object.entries(of.fields as Fields);
const own = (of: AnyEntity) => fieldsOf(of).filter(([, { kind }]) => kind !== 'joined' && kind !== 'asked');
const written = (of: AnyEntity) => fieldsOf(of).filter(([, { kind, options }]) => kind === 'written' && !options.fixed);
const ask = async <R>(query: ReturnType<typeof sql<R>>) => (await app.context.unscoped((db) => query.execute(db))).rows;

test('every field is a column of its table', async () => {
  const rows = await ask(
    sql<{ at: string }>`select table_name || '.' || column_name as at from information_schema.columns where table_schema = 'public'`,
  );
  const columns = new Set(rows.map((row) => row.at));
  const wanted = resources.flatMap(({ entity, table }) => own(entity).map(([name]) => `${table}.${columnOf(name)}`));
  expect(wanted.length).toBeGreaterThan(30);
  expect(wanted.filter((one) => !columns.has(one))).toEqual([]);
});

test('whatever people write of a row makes a revision of it', async () => {
  const rows = await ask(sql<{ table: string; column: string }>`
    select event_object_table as table, event_object_column as column from information_schema.triggered_update_columns where trigger_name = 'revision'`);
  const counted = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  const wanted = resources.flatMap(({ entity, table }) => written(entity).map(([name]) => `${table}.${columnOf(name)}`));
  expect(wanted.filter((one) => !counted.has(one))).toEqual([]);
});

test('every field, every value of a closed list and every help has its text', () => {
  const texts: Record<string, unknown> = Object.assign({}, ...Object.values(textTables));
  const keys = resources.flatMap(({ entity }) => [
    entity.title,
    ...fieldsOf(entity).flatMap(([name, { schema, options }]) => {
      const label = textOf(entity, name);
      const names = namesOf(entity, name);
      const value = bare(schema);
      const of = value instanceof z.ZodArray ? bare(value.element as z.ZodType) : value;
      const words = names !== undefined && of instanceof z.ZodEnum ? of.options.map((one) => `${names}${one}`) : [];
      return [label, ...words, ...(options.help === undefined ? [] : [options.help === true ? `${label}.help` : options.help])];
    }),
  ]);
  expect(keys.filter((key) => texts[key] === undefined)).toEqual([]);
});

/** Criteria that are no column: by which they are found. */
const asked: Readonly<Record<string, string>> = {
  'alert_alarm.below': 'dept_path',
  'order_order.late': 'due_on',
  'hardware_test.failedPart': 'failed_parts',
  'order_order.waiting': 'state',
  'order_order.mine': 'engineer_id',
  'order_order.unassigned': 'engineer_id',
  'order_order.side': 'partner_path',
  'order_order.closedAt': 'closed_sort',
};

/** What is searched by words that stand in other tables: where they are found. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'paramfile_level.place': ['device.sn', 'merchant_shop.name', 'merchant_merchant.name', 'org_dept.name'],
};
const byParts = (column: string) => new RegExp(String.raw`gin .*\b${column} gin_trgm_ops`);

/** Sorts, filters and searches of a large table that no index carries. */
function withoutIndex({ entity, table, small }: Pick<Resource, 'entity' | 'table' | 'small'>, indexes: readonly string[]): string[] {
  if (small) return [];
  const led = (name: string) => new RegExp(String.raw`\((dept_path, )?${asked[`${table}.${name}`] ?? columnOf(name)}\b`);
  const ordered = fieldsOf(entity).flatMap(([name, { options }]) => (options.sort || options.filter ? [{ name, by: led(name) }] : []));
  const searched = Object.values(entity.search)
    .flatMap((names) => names ?? [])
    .filter((name) => !(`${table}.${columnOf(name)}` in elsewhere))
    .map((name) => ({ name, by: byParts(columnOf(name)) }));
  return [...ordered, ...searched].flatMap(({ name, by }) => (indexes.some((one) => by.test(one)) ? [] : [`${table}.${columnOf(name)}`]));
}

test('what sorts, filters or searches has an index, unless its table is declared small', async () => {
  const rows = await ask(
    sql<{ table: string; made: string }>`select tablename as table, indexdef as made from pg_indexes where schemaname = 'public'`,
  );
  const of = (table: string) => rows.filter((row) => row.table === table).map((row) => row.made);
  expect(resources.flatMap((one) => withoutIndex(one, of(one.table)))).toEqual([]);
  const found = Object.values(elsewhere)
    .flat()
    .map((path) => path.split('.'));
  expect(found.filter(([table = '', column = '']) => !of(table).some((one) => byParts(column).test(one)))).toEqual([]);
  const products = resources.find((one) => one.table === 'product_product');
  expect(products && withoutIndex({ ...products, small: false }, of('product_product'))).toContain('product_product.category');
  expect(products && withoutIndex({ ...products, small: false }, ['x gin (name gin_trgm_ops)', 'x (dept_path, category)'])).not.toContain(
    'product_product.category',
  );
});
