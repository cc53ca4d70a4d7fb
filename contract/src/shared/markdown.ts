import { lexer, type Token, type Tokens } from 'marked';

/** What a text may be made of. There is no node for markup of its own: HTML that somebody writes stays the text that they wrote. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'struck'; readonly of: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly of: readonly Inline[] }
  | { readonly kind: 'picture'; readonly file: number; readonly alt: string };
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly of: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly of: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'quote'; readonly of: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'rule' };

export const MOST_TEXT = 40_000;
/** Quotes and lists in each other; nobody reads deeper ones, and a parser would follow them for ever. */
const DEEPEST = 12;

const outside = new Set(['http:', 'https:', 'mailto:']);
const unseen = /[\p{Cc}\p{Cf}\s]/u;
/** An address that may be followed: of the web, of mail, or of a screen of the console. */
export function safeHref(href: string): string | undefined {
  if (unseen.test(href)) return undefined;
  if (/^\/(?![/\\])/.test(href)) return href.includes('\\') ? undefined : href;
  const parsed = URL.canParse(href) ? new URL(href) : undefined;
  if (!parsed || !outside.has(parsed.protocol)) return undefined;
  if (parsed.protocol === 'mailto:') return href;
  // "https:/x" leads into the console, and "https://bank@evil" not to the bank.
  return /^https?:\/\/[^/]/i.test(href) && parsed.username === '' && parsed.password === '' ? href : undefined;
}
export const isOutside = (href: string): boolean => !href.startsWith('/');

/** `file:12` names a picture that was uploaded with the text; others aren't fetched. */
const pictureOf = (href: string): number | undefined => {
  const id = Number(/^file:(\d{1,15})$/.exec(href)?.[1]);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const plain = (text: string): Inline => ({ kind: 'text', text });
/** The lexer answers text as it is written, but for the references to characters that it leaves. */
const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => characters[found] ?? found);

function inlines(tokens: readonly Token[] | undefined, deep = 0): Inline[] {
  return (tokens ?? []).flatMap((token) => (deep > DEEPEST ? [plain(token.raw)] : inline(token as Tokens.Generic, deep)));
}
function inline(token: Tokens.Generic, deep: number): Inline[] {
  const inner = () => inlines(token.tokens, deep + 1);
  switch (token.type) {
    case 'strong':
    case 'em':
      return [{ kind: token.type, of: inner() }];
    case 'del':
      return [{ kind: 'struck', of: inner() }];
    case 'codespan':
      return [{ kind: 'code', text: unescaped(token.text) }];
    case 'br':
      return [{ kind: 'break' }];
    case 'link': {
      const href = safeHref(token.href);
      return href === undefined ? [plain(token.raw)] : [{ kind: 'link', href, of: inner() }];
    }
    case 'image': {
      const file = pictureOf(token.href);
      return file === undefined ? [plain(token.raw)] : [{ kind: 'picture', file, alt: unescaped(token.text) }];
    }
    case 'escape':
      return [plain(unescaped(token.text))];
    case 'text':
      return token.tokens ? inner() : [plain(unescaped(token.raw))];
    default:
      return [plain(token.raw)];
  }
}

function blocks(tokens: readonly Token[], deep = 0): Block[] {
  return tokens.flatMap((token) => block(token as Tokens.Generic, deep));
}
function block(token: Tokens.Generic, deep: number): Block[] {
  if (deep > DEEPEST) return [{ kind: 'paragraph', of: [plain(token.raw)] }];
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'heading':
      return [{ kind: 'heading', level: token.depth, of: inlines(token.tokens) }];
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', of: token.tokens ? inlines(token.tokens) : [plain(unescaped(token.raw))] }];
    case 'code':
      return [{ kind: 'code', text: token.text }];
    case 'blockquote':
      return [{ kind: 'quote', of: blocks(token.tokens ?? [], deep + 1) }];
    case 'list':
      return [listOf(token as Tokens.List, deep)];
    case 'table':
      return [tableOf(token as Tokens.Table)];
    default:
      return [{ kind: 'paragraph', of: [plain(token.raw.trimEnd())] }];
  }
}
const listOf = (token: Tokens.List, deep: number): Block => ({
  kind: 'list',
  ordered: token.ordered,
  start: token.start === '' ? 1 : Number(token.start),
  items: token.items.map((item) => blocks(item.tokens, deep + 1)),
});
const tableOf = (token: Tokens.Table): Block => ({
  kind: 'table',
  head: token.header.map((cell) => inlines(cell.tokens)),
  rows: token.rows.map((row) => row.map((cell) => inlines(cell.tokens))),
});

/** As many marks of quotes and lists at the beginning of a line as no text has; the lexer would go down with each. */
const bottomless = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${DEEPEST + 4},}`, 'm');

/** The lexer makes each row of a table as wide as its widest one: so many cells no text has. */
const MOST_CELLS = 10_000;
function isEndless(text: string): boolean {
  let [rows, widest] = [0, 0];
  for (const line of text.split('\n')) {
    // A table ends with the first blank line.
    [rows, widest] = line.trim() === '' ? [0, 0] : [rows + 1, Math.max(widest, line.split('|').length - 1)];
    if (widest > 1 && rows * widest > MOST_CELLS) return true;
  }
  return false;
}

/** A text in Markdown as the few things that are shown. What can't be read as such is shown as it is. */
export function readMarkdown(text: string): Block[] {
  const asIs: Block[] = [{ kind: 'paragraph', of: [plain(text)] }];
  if (text.length > MOST_TEXT || bottomless.test(text) || isEndless(text)) return asIs;
  try {
    return blocks(lexer(text, { gfm: true, breaks: true }));
  } catch {
    return asIs;
  }
}

const wordsOf = (of: readonly Inline[], addresses = false): string =>
  of
    .map((one) => {
      if (one.kind === 'link' && addresses) {
        const words = wordsOf(one.of);
        return words === one.href ? words : `${words} (${one.href})`;
      }
      if ('of' in one) return wordsOf(one.of, addresses);
      if ('text' in one) return one.text;
      return 'alt' in one ? one.alt : '\n';
    })
    .join('');

function linesOf(block: Block, addresses: boolean): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [wordsOf(block.of, addresses)];
    case 'code':
      return [block.text];
    case 'quote':
      return block.of.flatMap((one) => linesOf(one, addresses));
    case 'list':
      return block.items.flatMap((item, at) => {
        const [first = '', ...more] = item.flatMap((one) => linesOf(one, addresses));
        return [`${block.ordered ? `${block.start + at}.` : '•'} ${first}`, ...more];
      });
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map((cell) => wordsOf(cell, addresses)).join(' · '));
    default:
      return [];
  }
}
/** The words alone, for what is searched; for mails with the addresses of links. */
export const plainText = (text: string, addresses = false): string =>
  readMarkdown(text)
    .flatMap((block) => linesOf(block, addresses))
    .join('\n');

const every = (of: readonly Inline[]): Inline[] => of.flatMap((one) => ('of' in one ? [one, ...every(one.of)] : [one]));
function inlinesIn(block: Block): Inline[] {
  if (block.kind === 'heading' || block.kind === 'paragraph') return every(block.of);
  if (block.kind === 'quote') return block.of.flatMap(inlinesIn);
  if (block.kind === 'list') return block.items.flat().flatMap(inlinesIn);
  return block.kind === 'table' ? [block.head, ...block.rows].flat(2).flatMap((one) => every([one])) : [];
}
const allIn = (text: string) => readMarkdown(text).flatMap(inlinesIn);

/** Of the pictures that a text shows, their files. */
export const picturesIn = (text: string): number[] => allIn(text).flatMap((one) => (one.kind === 'picture' ? [one.file] : []));
export const linksIn = (text: string): string[] => allIn(text).flatMap((one) => (one.kind === 'link' ? [one.href] : []));

/** What is written as a link or a picture and isn't one: the reason why a text isn't taken. */
export const refusedLink = (text: string): string | undefined =>
  allIn(text)
    .flatMap((one) => (one.kind === 'text' ? [one.text] : []))
    .map((words) => /^!?\[[^\]]*\]\(\s*([^)\s]*)/.exec(words)?.[1])
    .find((href) => href !== undefined);
