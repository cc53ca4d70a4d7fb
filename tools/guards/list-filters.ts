import type { SourceFile } from './source-files.ts';

/** Criteria that a list leaves to something else than its filters. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['deviceCalls.page sn', 'the search box finds it by its SN'],
  ['deviceCalls.page area', 'drawn on the map'],
  ['deviceCalls.page cell', 'a place of the map'],
  ['positionCalls.track deviceId', 'the terminal whose page it stands on'],
  ['positionCalls.track at', 'the period above the map'],
  ['keyChangeCalls.page keyId', 'the key whose page it stands on'],
  ['keyChangeCalls.page of', 'the screen that it stands on'],
  ['packageCalls.page version', 'the search box finds it by its version'],
  ['approvalCalls.page taskId', 'an address that names the release alone'],
  ['complianceCalls.depts parentId', 'the select at the head of its page'],
  ['complianceCalls.depts productId', 'the select at the head of its page'],
  ['complianceCalls.depts kind', 'the select at the head of its page'],
]);

/** Short lists inside another page, which has the same list in full. */
const parts: ReadonlySet<string> = new Set(['web/src/engines/rollout/package-detail.page.tsx']);

const listOf = /\n( *)call: (\w+)\.(\w+),/g;

/** The declaration around a list's call: from the brace before it to where its indentation ends. */
function declarationAt(text: string, at: number, indent: number): string {
  const rest = text.slice(at);
  const end = rest.search(new RegExp(`\\n {0,${Math.max(0, indent - 2)}}[})\\]]`));
  return text.slice(text.lastIndexOf('{\n', at), end < 0 ? undefined : at + end);
}

/** The lists that a file of the console declares, with their columns. */
export const listsOf = ({ path, text }: SourceFile): { readonly call: string; readonly declared: string }[] =>
  /^web\/src\/(features|engines)\/.*\.tsx?$/.test(path) && !parts.has(path)
    ? [...text.matchAll(listOf)]
        .map((found) => ({ call: `${found[2]}.${found[3]}`, declared: declarationAt(text, found.index, found[1]?.length ?? 0) }))
        .filter(({ declared }) => declared.includes('columns'))
    : [];

/**
 * What a list could be narrowed by and isn't: criteria of its call that are no filter, no search and not fixed by the page around it.
 * `criteria` are the names by call, "deviceCalls.page".
 */
export function unofferedFilters(criteria: ReadonlyMap<string, readonly string[]>, files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    listsOf(file).flatMap(({ call, declared }) => {
      const isOffered = (name: string) => declared.includes(`field: '${name}'`) || new RegExp(`fixed=\\{\\{ ${name}\\b`).test(file.text);
      return (criteria.get(call) ?? [])
        .filter((name) => !isOffered(name) && !elsewhere.has(`${call} ${name}`))
        .map((name) => `${file.path}: ${call} could be filtered by ${name}`);
    }),
  );
}
