import { expect, test } from 'vitest';
import { z } from 'zod';
import { callGroups } from '../index.ts';
import type { Call } from './call.ts';

/** Lists that nobody takes along, each with its reason. */
const kept: Readonly<Record<string, string>> = {
  'authAuditCalls page': 'papers of people are looked at one by one, and each look is written down',
  'tokenCalls page': 'one’s own few; all of them are exported by who looks after them',
  'labelCalls page': 'whole languages are exported as packs',
  'differenceCalls page': 'the few of one version stand on its page',
  'appDifferenceCalls page': 'likewise',
  'moduleDifferenceCalls page': 'likewise',
  'patchDifferenceCalls page': 'likewise',
  'footprintCalls page': 'one person’s steps are for the eye; the log is exported',
  'changeRequestCalls page': 'what a change says is no row; the log has it',
  'keyChangeCalls page': 'likewise',
  'productCategoryCalls visible': 'a picker',
  'backgroundJobCalls page': 'one’s own jobs, among them the exports',
};

const isPage = ({ output }: Call) => output instanceof z.ZodObject && ['content', 'total', 'next'].every((key) => key in output.shape);
const isExport = ({ input }: Call) => input instanceof z.ZodObject && 'columns' in input.shape && 'format' in input.shape;

/** `page` or `list` has `export`; any other, `codes`, has `exportCodes` or, of a resource, `codeExport`. */
const exportsOf = (key: string) =>
  key === 'page' || key === 'list'
    ? ['export']
    : [`export${key[0]?.toUpperCase()}${key.slice(1)}`, `${key.replace(/ies$/, 'y').replace(/s$/, '')}Export`];

test('every list is exported, or says why not', () => {
  const without = Object.entries(callGroups).flatMap(([name, group]) =>
    Object.entries(group)
      .filter(([, call]) => isPage(call))
      .filter(([key]) => !exportsOf(key).some((one) => group[one] !== undefined && isExport(group[one])))
      .map(([key]) => `${name} ${key}`),
  );
  expect(without.sort()).toEqual(Object.keys(kept).sort());
});
