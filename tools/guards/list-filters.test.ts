import { callGroups } from '@mooring/contract/index';
import { expect, test } from 'vitest';
import { unofferedFilters } from './list-filters.ts';
import { sourceFiles } from './source-files.ts';

interface Schema {
  readonly shape?: Record<string, Schema>;
  readonly def?: { readonly innerType?: Schema };
}
/** The names of an object's fields, below its default. */
const namesOf = (schema: Schema | undefined): string[] =>
  schema?.shape ? Object.keys(schema.shape) : schema?.def?.innerType ? namesOf(schema.def.innerType) : [];

test('each list offers every filter that its call has', () => {
  const criteria = new Map(
    Object.entries(callGroups).flatMap(([group, calls]) =>
      Object.values(calls).map((call) => [`${group}.${call.name}`, namesOf((call.input as unknown as Schema).shape?.criteria)] as const),
    ),
  );
  expect([...criteria.values()].filter((names) => names.length > 0).length).toBeGreaterThan(20);
  expect(unofferedFilters(criteria, sourceFiles())).toEqual([]);
});

const criteria = new Map([['boatCalls.page', ['name', 'state', 'dock']]]);
const seen = (text: string) => unofferedFilters(criteria, [{ path: 'web/src/features/boat/list.tsx', text }]);

test.each([
  [
    'some are missing',
    `const list = {\n  call: boatCalls.page,\n  columns,\n  search: { field: 'name' },\n};\nconst other = {\n  filters: [{ field: 'dock' }],\n};`,
    ['state', 'dock'],
  ],
  [
    'one is fixed',
    `const list = {\n  call: boatCalls.page,\n  columns,\n  filters: [{ field: 'name' }],\n};\n<ListView fixed={{ dock: 1 }} />`,
    ['state'],
  ],
  ['no list', `const source = {\n  call: boatCalls.page,\n};`, []],
])('%s', (_name, text, missing) =>
  expect(seen(text)).toEqual(missing.map((name) => `web/src/features/boat/list.tsx: boatCalls.page could be filtered by ${name}`)),
);
