import { type Block, type Inline, isOutside, readMarkdown } from '@mooring/contract/shared/markdown';
import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from '../link.tsx';
import './markdown.css';

interface Drawn {
  /** Draws the picture of a file; pictures are left out where nothing does. */
  readonly picture?: ((file: number, alt: string) => ReactNode) | undefined;
  /** What was searched for, marked where it stands. */
  readonly marked?: string | undefined;
  /** What a text that was written says to this reader. */
  readonly words?: ((text: string) => string) | undefined;
  /** The level that its first headings have. */
  readonly top?: number | undefined;
  /** Draws a link that isn't followed by the page. */
  readonly link?: ((href: string, words: ReactNode) => ReactNode) | undefined;
}
const same = (text: string) => text;

/** Each place of a word, in any case. */
export function Marked({ text, marked }: { text: string; marked?: string | undefined }) {
  const words = (marked ?? '').trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return text;
  const found = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu');
  return text.split(found).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    at % 2 === 1 ? <mark key={at}>{part}</mark> : part,
  );
}

function Words({ of, how }: { of: readonly Inline[]; how: Drawn }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
  return of.map((one, at) => <Fragment key={at}>{wordsOf(one, how)}</Fragment>);
}
function wordsOf(one: Inline, how: Drawn): ReactNode {
  switch (one.kind) {
    case 'text':
      return <Marked text={(how.words ?? same)(one.text)} marked={how.marked} />;
    case 'code':
      return <code className="m-mono">{(how.words ?? same)(one.text)}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return (
        <strong>
          <Words of={one.of} how={how} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Words of={one.of} how={how} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <Words of={one.of} how={how} />
        </s>
      );
    case 'link':
      return <Linked href={one.href} words={<Words of={one.of} how={how} />} how={how} />;
    default:
      return how.picture?.(one.file, one.alt) ?? one.alt;
  }
}

function Linked({ href, words, how }: { href: string; words: ReactNode; how: Drawn }) {
  const own = how.link?.(href, words);
  if (own) return own;
  if (!isOutside(href)) return <Link to={href}>{words}</Link>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {words}
    </a>
  );
}

/** Below the heading of the place that shows it. */
const headings = ['h3', 'h4', 'h5'] as const;

function Blocks({ of, how }: { of: readonly Block[]; how: Drawn }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
  return of.map((one, at) => <Fragment key={at}>{blockOf(one, how)}</Fragment>);
}
function blockOf(one: Block, how: Drawn): ReactNode {
  switch (one.kind) {
    case 'heading': {
      const Heading = headings[Math.min(one.level - (how.top ?? 1), headings.length - 1)] ?? 'h5';
      return (
        <Heading>
          <Words of={one.of} how={how} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Words of={one.of} how={how} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks of={one.of} how={how} />
        </blockquote>
      );
    case 'code':
      return <pre className="m-mono">{one.text}</pre>;
    case 'list':
      return <Listed of={one} how={how} />;
    case 'table':
      return <Tabled of={one} how={how} />;
    default:
      return <hr />;
  }
}
function Listed({ of, how }: { of: Extract<Block, { kind: 'list' }>; how: Drawn }) {
  const items = of.items.map((item, at) => {
    const [only] = item;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
      <li key={at}>
        {item.length === 1 && only?.kind === 'paragraph' ? <Words of={only.of} how={how} /> : <Blocks of={item} how={how} />}
      </li>
    );
  });
  return of.ordered ? <ol start={of.start}>{items}</ol> : <ul>{items}</ul>;
}
function Tabled({ of, how }: { of: Extract<Block, { kind: 'table' }>; how: Drawn }) {
  const cells = (row: readonly (readonly Inline[])[], Cell: 'th' | 'td') =>
    row.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
      <Cell key={at}>
        <Words of={cell} how={how} />
      </Cell>
    ));
  return (
    <div className="m-markdown-table">
      <table>
        <thead>
          <tr>{cells(of.head, 'th')}</tr>
        </thead>
        <tbody>
          {of.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A text that people wrote, drawn element by element: there is no place where markup of theirs could become the page's. */
export function Markdown({ text, ...how }: { text: string } & Drawn) {
  const read = useMemo(() => readMarkdown(text), [text]);
  // Whatever sign it begins with, no level is left out.
  const top = Math.min(...read.flatMap((one) => (one.kind === 'heading' ? [one.level] : [])), 6);
  return (
    <div className="m-markdown" dir="auto">
      <Blocks of={read} how={{ ...how, top }} />
    </div>
  );
}
