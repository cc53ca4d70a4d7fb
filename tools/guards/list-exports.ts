import { listsOf } from './list-filters.ts';
import type { SourceFile } from './source-files.ts';

/** Lists that offer no file though their call has one, each with its reason. */
const without: ReadonlyMap<string, string> = new Map([
  ['web/src/engines/rollout/differences-tab.tsx calls.page', 'the few of one version stand on its page; they have no export'],
]);

/** How the export of a list's call may be named: `export` of `page`, `codeExport` or `exportCodes` of `codes`. */
export const namesOfExport = (list: string): readonly string[] =>
  list === 'page' || list === 'list'
    ? ['export']
    : [`export${list[0]?.toUpperCase()}${list.slice(1)}`, `${list.replace(/ies$/, 'y').replace(/s$/, '')}Export`];

/**
 * Lists on screens that could be taken along and aren't offered as a file. `exported` are the calls that have an export, "deviceCalls.page";
 * `calls` alone is of several groups, one for each kind of release or unit.
 */
export const unofferedExports = (exported: ReadonlySet<string>, files: readonly SourceFile[]): string[] =>
  files.flatMap((file) =>
    listsOf(file)
      .filter(({ call, declared }) => (exported.has(call) || call === 'calls.page') && !/\bexport: \w/.test(declared))
      .map(({ call }) => `${file.path} ${call}`)
      .filter((place) => !without.has(place)),
  );
