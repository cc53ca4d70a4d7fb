import type { Call } from '@mooring/contract/kit/call';
import type { TextTable } from '@mooring/contract/kit/texts';
import { IntlMessageFormat } from 'intl-messageformat';
import { isCode, type SourceFile } from './source-files.ts';

type Part = { type: number; value?: string; options?: Record<string, { value: Part[] }>; children?: Part[] };

/** Names of the values that a message wants filled in, also inside its plurals and selections. */
function namesIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => [
    ...(part.type === 0 || part.type === 7 || !part.value ? [] : [part.value]),
    ...Object.values(part.options ?? {}).flatMap((option) => namesIn(option.value)),
    ...namesIn(part.children ?? []),
  ]);
}

const wanted = (message: string, locale: string) =>
  [...new Set(namesIn(new IntlMessageFormat(message, locale).getAst() as Part[]))].sort().join(', ');

function textFault(key: string, en: string | undefined, zh: string | undefined): string | undefined {
  if (!en?.trim()) return `${key} has no English text`;
  if (!zh?.trim()) return `${key} has no Chinese text`;
  try {
    const [inEnglish, inChinese] = [wanted(en, 'en'), wanted(zh, 'zh-CN')];
    return inEnglish === inChinese ? undefined : `${key} wants {${inEnglish}} in English and {${inChinese}} in Chinese`;
  } catch (error) {
    return `${key} is not a message: ${(error as Error).message}`;
  }
}

/** Every text in both languages with the same values, each key once, a text for each fault that a call declares. */
export function textFaults(tables: Readonly<Record<string, TextTable>>, calls: readonly Pick<Call, 'path' | 'faults'>[]): string[] {
  const entries = Object.values(tables).flatMap((table) => Object.entries(table));
  const keys = entries.map(([key]) => key);
  const known = new Set(keys);
  return [
    ...entries.map(([key, [en, zh]]) => textFault(key, en, zh)),
    ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${key} stands in two tables`),
    ...calls.flatMap(({ path, faults }) =>
      faults.filter((name) => !known.has(`fault.${name}`)).map((name) => `${path}: fault.${name} has no text`),
    ),
  ].filter((fault): fault is string => fault !== undefined);
}

/** Said by key where no compiler looks: in schemas, in what a handler refuses, in the name of a fault. */
const saidByKey = /'((?:invalid|fault)\.\w+)'|(?:new Fault|\bfault)\(\s*'([A-Z][A-Z0-9_]+)'/g;

/** Keys in the sources that have no text, and would be shown as they are. */
export function bareKeyFaults(files: readonly SourceFile[], keys: ReadonlySet<string>): string[] {
  return files
    .filter(({ path }) => /^(contract|server|web)\/src\//.test(path) && isCode(path) && !/\.(test|texts)\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(saidByKey)]
        .map(([, key, name]) => key ?? `fault.${name}`)
        .filter((key) => !keys.has(key))
        .map((key) => `${path}: ${key} has no text`),
    );
}
