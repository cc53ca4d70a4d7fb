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
  /** Rows and cells that hold nothing count for nothing and aren't given; merged cells are refused. */
  readonly strict: boolean;
}
/** Why what a cell shows isn't what was meant: digits that the program rounded off, a date that it made of it, a formula without a result; or why it is
 * no text that can be kept: signs that nobody sees, or more of them than a cell may have. */
export type OddCell = 'digits' | 'date' | 'formula' | 'text' | 'long';
export interface SheetRow {
  /** As the program counts it. */
  readonly number: number;
  readonly cells: readonly string[];
  readonly odd?: Readonly<Record<number, OddCell>>;
}
const defaults: SheetLimits = { rows: 100_000, columns: 100, bytes: 200 * 1024 * 1024, elements: 20_000_000, depth: 32, strict: false };
/** Of all texts that cells share. */
const STRINGS = 2_000_000;
const ENTRIES = 500;
const CELL_TEXT = 32_767;

const broken = () => new Fault('SHEET_BROKEN');
const tooLarge = () => new Fault('SHEET_TOO_LARGE');
const merged = (cells: string) => new Fault('SHEET_MERGED', { params: { cells: cells.slice(0, 32) } });

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

/** Formats of dates and times that every program knows, and those of the file's own whose signs outside quotes say so. */
const isDateFormat = (id: number, own: ReadonlyMap<number, string>): boolean => {
  const code = own.get(id);
  if (code !== undefined) return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''));
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
};

/** The styles whose cells are shown as dates. */
async function dateStyles(zip: ZipFile, entry: Entry | undefined, budget: Budget): Promise<ReadonlySet<number>> {
  const own = new Map<number, string>();
  const dates = new Set<number>();
  if (!entry) return dates;
  let inCells = false;
  let style = 0;
  await whole(zip, entry, budget, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'cellXfs') inCells = true;
      if (name === 'numFmt' && formatCode !== undefined) own.set(Number(numFmtId), formatCode);
      if (name !== 'xf' || !inCells) return;
      if (isDateFormat(Number(numFmtId ?? 0), own)) dates.add(style);
      style += 1;
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return dates;
}

/** 'BC12' → 54; a cell without a place stands after the one before. */
function columnAt(place: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0];
  if (!letters) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** An apostrophe that our own exports put before a formula sign is taken off again. */
const plain = (text: string) => (/^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text);

/** From here on spreadsheets keep no more than 15 digits of a number. */
const DIGITS = 1e15;

interface CellOf {
  readonly column: number;
  readonly kind: string;
  readonly style: number;
  hasFormula: boolean;
  value: string;
}
function oddness({ kind, style, hasFormula, value }: CellOf, dates: ReadonlySet<number>): OddCell | undefined {
  if (kind === 'e' || (hasFormula && value === '')) return 'formula';
  if (kind === 'd') return 'date';
  if (value === '' || (kind !== '' && kind !== 'n')) return undefined;
  if (dates.has(style)) return 'date';
  return Math.abs(Number(value)) >= DIGITS ? 'digits' : undefined;
}

/** Gathers rows out of what a sheet's parser says. */
function rowReader(most: SheetLimits, strings: readonly string[], dates: ReadonlySet<number>) {
  const ready: SheetRow[] = [];
  let cells: string[] = [];
  let odd: Record<number, OddCell> | undefined;
  let [number, column, count] = [0, -1, 0];
  let now: CellOf | undefined;
  let inValue = false;
  const beginRow = (place: string | undefined) => {
    [cells, odd, column] = [[], undefined, -1];
    const at = Number(place);
    number = Number.isSafeInteger(at) && at > number ? at : number + 1;
    if (!most.strict) count += 1;
    if (count > most.rows) throw tooLarge();
  };
  const endCell = (cell: CellOf) => {
    const text = plain(cell.kind === 's' ? (strings[Number(cell.value)] ?? '') : cell.value);
    const why = oddness(cell, dates);
    if (most.strict && text === '' && !why) return;
    if (cell.column >= most.columns) throw tooLarge();
    while (cells.length < cell.column) cells.push('');
    cells[cell.column] = text;
    if (why) odd = { ...odd, [cell.column]: why };
  };
  const endRow = () => {
    if (most.strict && cells.every((text) => text.trim() === '') && !odd) return;
    if (most.strict) count += 1;
    if (count > most.rows) throw tooLarge();
    ready.push({ number, cells, ...(odd ? { odd } : {}) });
  };
  const sax: Sax = {
    open: (name, attributes) => {
      if (name === 'row') beginRow(attributes.r);
      else if (name === 'c') {
        column = columnAt(attributes.r, column + 1);
        if (!most.strict && column >= most.columns) throw tooLarge();
        now = { column, kind: attributes.t ?? '', style: Number(attributes.s ?? 0), hasFormula: false, value: '' };
      } else if (name === 'f' && now) now.hasFormula = true;
      else if (name === 'mergeCell' && most.strict) throw merged(attributes.ref ?? '');
      inValue = name === 'v' || name === 't';
    },
    text: (part) => {
      if (inValue && now && now.value.length < CELL_TEXT) now.value += part;
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false;
      if (name === 'c' && now) endCell(now);
      if (name === 'c') now = undefined;
      if (name === 'row') endRow();
    },
  };
  return { sax, take: () => ready.splice(0) };
}

/** The rows of a workbook's first sheet as text, read as a stream within limits. Faults: SHEET_BROKEN, SHEET_TOO_LARGE, SHEET_MERGED. */
export async function* parseXlsx(bytes: Buffer, limits: Partial<SheetLimits> = {}): AsyncGenerator<SheetRow> {
  const most = { ...defaults, ...limits };
  const budget = { bytes: most.bytes, elements: most.elements, depth: most.depth };
  const { zip, entries: listed } = await openZip(bytes, { most: ENTRIES, faults, strict: true });
  try {
    const entries = new Map(listed.map((entry) => [entry.fileName, entry]));
    const sheet = await firstSheet(zip, entries, budget);
    const strings = await sharedStrings(zip, entries.get('xl/sharedStrings.xml'), budget);
    const { sax, take } = rowReader(most, strings, await dateStyles(zip, entries.get('xl/styles.xml'), budget));
    for await (const _ of parse(zip, sheet, budget, sax)) yield* take();
  } finally {
    zip.close();
  }
}
