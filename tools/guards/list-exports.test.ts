import { callGroups } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { shapeOf } from '@mooring/contract/kit/issue-words';
import { expect, test } from 'vitest';
import { namesOfExport, unofferedExports } from './list-exports.ts';
import { sourceFiles } from './source-files.ts';

const isExport = ({ input }: Call) => ['columns', 'format'].every((key) => key in shapeOf(input));

test('each list whose call has an export offers it', () => {
  const exported = Object.entries(callGroups).flatMap(([name, group]) => {
    const calls: Readonly<Record<string, Call>> = group;
    return Object.keys(calls).flatMap((key) =>
      namesOfExport(key).some((one) => calls[one] !== undefined && isExport(calls[one])) ? [`${name}.${key}`] : [],
    );
  });
  expect(exported.length).toBeGreaterThan(60);
  expect(unofferedExports(new Set(exported), sourceFiles())).toEqual([]);
});

const seen = (text: string) => unofferedExports(new Set(['boatCalls.page']), [{ path: 'web/src/features/boat/list.tsx', text }]);
test('one that offers none is seen', () => {
  const list = (more: string) => `const list = {\n  call: boatCalls.page,\n  columns,\n${more}};\n`;
  const other = 'const other = {\n  call: shipCalls.page,\n  columns,\n};\n';
  expect(seen(list('') + other)).toEqual(['web/src/features/boat/list.tsx boatCalls.page']);
  expect(seen(list('  export: boatCalls.export,\n') + other)).toEqual([]);
});
