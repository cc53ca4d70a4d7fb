import { Fault } from '@mooring/contract/kit/fault';
import { Parser } from 'htmlparser2';
import type { Entry, ZipFile } from 'yauzl';
import { openZip, streamOf } from './zip.ts';

/** What a sheet may hold; a bomb is refused while it is read, never unpacked first (design 5, "Input"). */
export interface SheetLimits {
  readonly rows: number;
  readonly columns: number;
  /** Bytes after unpacking, of all parts that are read together. */
  readonly bytes: number;
  /** Elements in all parts, and how deep they may stand: the parser's time grows with the product of both. */
  readonly elements: number;
  readonly depth: number;
}
const defaults: SheetLimits = { rows: 100_000, columns: 100, bytes: 200 * 1024 * 1024, elements: 20_000_000, depth: 32 };
/** Of all texts that cells share. */
const STRINGS = 2_000_000;
const ENTRIES = 500;
const CELL_TEXT = 32_767;

const broken = () => new Fault('SHEET_BROKEN');
const tooLarge = () => new Fault('SHEET_TOO_LARGE');

const faults = { broken, tooMany: tooLarge };

interface Budget {
  bytes: number;
  elements: number;
  readonly depth: number;
}
interface Sax {
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Gives one part to the parser piece by piece. No entity but XML's own five is known to it, and none is fetched. */
async function* parse(zip: ZipFile, entry: Entry, budget: Budget, sax: Sax): AsyncGenerator<void> {
  const bare = (name: string) => name.slice(name.indexOf(':') + 1);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        budget.elements -= 1;
        if (depth > budget.depth || budget.elements < 0) throw tooLarge();
        sax.open?.(bare(name), attributes);
      },
      ontext: (text) => sax.text?.(text),
      onclosetag(name) {
        depth -= 1;
        sax.close?.(bare(name));
      },
    },
    { xmlMode: true },
  );
  const stream = await streamOf(zip, entry, faults);
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) {
      budget.bytes -= (chunk as Buffer).length;
      if (budget.bytes < 0) throw tooLarge();
      parser.write(decoder.decode(chunk as Buffer, { stream: true }));
      yield;
    }
  } catch (error) {
    stream.destroy();
    throw error instanceof Fault ? error : broken();
  }
  parser.end();
  yield;
}
async function whole(zip: ZipFile, entry: Entry | undefined, budget: Budget, sax: Sax): Promise<void> {
  if (!entry) throw broken();
  for await (const _ of parse(zip, entry, budget, sax));
}

/** The part that holds the first sheet: workbook → relation → part. */
async function firstSheet(zip: ZipFile, entries: Map<string, Entry>, budget: Budget): Promise<Entry> {
  let relation: string | undefined;
  let target: string | undefined;
  await whole(zip, entries.get('xl/workbook.xml'), budget, {
    open: (name, attributes) => {
      if (name === 'sheet') relation ??= attributes['r:id'];
    },
  });
  await whole(zip, entries.get('xl/_rels/workbook.xml.rels'), budget, {
    open: (name, attributes) => {
      if (name === 'Relationship' && attributes.Id === relation) target = attributes.Target;
    },
  });
  const entry = target === undefined ? undefined : entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  if (!entry) throw broken();
  return entry;
}

async function sharedStrings(zip: ZipFile, entry: Entry | undefined, budget: Budget): Promise<string[]> {
  const strings: string[] = [];
  if (!entry) return strings;
  let text = '';
  let inText = false;
  let phonetic = false;
  await whole(zip, entry, budget, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic = true;
      inText = name === 't' && !phonetic;
    },
    text: (part) => {
      if (inText) text += part;
    },
    close: (name) => {
      if (name === 't') inText = false;
      if (name === 'rPh') phonetic = false;
      if (name !== 'si') return;
      if (strings.push(text.slice(0, CELL_TEXT)) > STRINGS) throw tooLarge();
    },
  });
  return strings;
}

/** 'BC12' → 54; a cell without a place stands after the one before. */
function columnAt(place: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0];
  if (!letters) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** An apostrophe that our own exports put before a formula sign is taken off again. */
const plain = (text: string) => (/^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text);

/** The rows of a workbook's first sheet as text, read as a stream within limits. Faults: SHEET_BROKEN, SHEET_TOO_LARGE. */
export async function* parseXlsx(bytes: Buffer, limits: Partial<SheetLimits> = {}): AsyncGenerator<string[]> {
  const most = { ...defaults, ...limits };
  const budget = { bytes: most.bytes, elements: most.elements, depth: most.depth };
  const { zip, entries: listed } = await openZip(bytes, { most: ENTRIES, faults, strict: true });
  try {
    const entries = new Map(listed.map((entry) => [entry.fileName, entry]));
    const sheet = await firstSheet(zip, entries, budget);
    const strings = await sharedStrings(zip, entries.get('xl/sharedStrings.xml'), budget);
    let ready: string[][] = [];
    let row: string[] = [];
    let column = -1;
    let kind = '';
    let value = '';
    let inValue = false;
    let count = 0;
    const sax: Sax = {
      open: (name, attributes) => {
        if (name === 'row') {
          row = [];
          column = -1;
          count += 1;
          if (count > most.rows) throw tooLarge();
        } else if (name === 'c') {
          column = columnAt(attributes.r, column + 1);
          if (column >= most.columns) throw tooLarge();
          kind = attributes.t ?? '';
          value = '';
        }
        inValue = name === 'v' || name === 't';
      },
      text: (part) => {
        if (inValue && value.length < CELL_TEXT) value += part;
      },
      close: (name) => {
        if (name === 'v' || name === 't') inValue = false;
        if (name === 'c') {
          while (row.length < column) row.push('');
          row[column] = plain(kind === 's' ? (strings[Number(value)] ?? '') : value);
        }
        if (name === 'row') ready.push(row);
      },
    };
    for await (const _ of parse(zip, sheet, budget, sax)) {
      yield* ready;
      ready = [];
    }
  } finally {
    zip.close();
  }
}
