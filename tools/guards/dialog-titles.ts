import { isCode, type SourceFile } from './source-files.ts';

/** From an opening brace or tag to where it ends: strings and nested braces are passed over. */
function upTo(text: string, from: number, end: RegExp): string {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quote) quote = sign === quote ? '' : quote;
    else if (depth === 0 && end.test(sign)) return text.slice(from, at);
    else if (/['"`]/.test(sign)) quote = sign;
    else if (/[{(]/.test(sign)) depth++;
    else if (/[})]/.test(sign)) depth--;
  }
  return text.slice(from);
}

/** Keys of the texts that a dialog may have as its title; what they are filled with isn't looked at. */
function titleKeys(tag: string): string[] {
  const plain = /\btitle="([\w.]+)"/.exec(tag)?.[1];
  if (plain) return [plain];
  const begin = /\btitle=\{\s*t\(/.exec(tag);
  const said = begin ? upTo(tag, begin.index + begin[0].length, /[,)]/) : '';
  return [...said.matchAll(/'([\w.]+)'/g)].flatMap(([, key]) => key ?? []);
}

/**
 * Titles of dialogs that are one word: "Remove" says neither what is removed nor that it is a question. A title is the act with its object or
 * a question; `of` gives a form's title the name of its object.
 */
export function dialogTitleFaults(files: readonly SourceFile[], english: ReadonlyMap<string, string>): string[] {
  return files
    .filter(({ path }) => path.startsWith('web/src/') && isCode(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<(?:Dialog|Confirm|FormDialog|MakeDialog)\b/g)].flatMap((begin) => {
        const tag = upTo(text, begin.index + begin[0].length, />/);
        if (/\bof=/.test(tag)) return [];
        return titleKeys(tag)
          .filter((key) => english.has(key) && !/[\s{?]/.test(english.get(key) ?? ''))
          .map((key) => `${path}: a dialog’s title is “${english.get(key)}” alone (${key})`);
      }),
    );
}
