import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Cell, defuse, textOf } from './defuse.ts';

/** What one sheet holds at the most, header included. */
export const SHEET_ROWS = 1_048_576;
const CELL_TEXT = 32_000;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const parts: Record<string, string> = {
  '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

const sound = (text: string) =>
  text
    // XML knows no control characters.
    .replace(/[[\p{Cc}--[\t\n\r]]\uFFFE\uFFFF]/gv, '')
    .replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));

/** A sheet's name: no longer than spreadsheets take it, without the signs of a reference. */
const nameOf = (name: string) =>
  sound(
    name
      .replace(/[[\]:*?/\\]/g, ' ')
      .trim()
      .slice(0, 31),
  ).replaceAll('"', '&quot;') || 'Sheet1';
const workbook = (name: string) =>
  `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${nameOf(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

/** A, B, …, Z, AA, … */
function letters(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? letters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

const DAY = 86_400_000;
const QUARTER = 900_000;
/** Days since the sheet's beginning of time, as clocks in the zone show the moment: a sheet's dates know no zone. */
function serialIn(timeZone: string): (moment: Date) => number {
  const written = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  // An offset holds for a quarter of an hour at least; asking for it costs more than the rest of a cell.
  const offsetAt = (quarter: number): number => {
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(written.format(quarter * QUARTER)) ?? [];
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
    offsets.set(quarter, offset);
    return offset;
  };
  return (moment) => {
    const quarter = Math.floor(moment.getTime() / QUARTER);
    return (moment.getTime() + (offsets.get(quarter) ?? offsetAt(quarter))) / DAY + 25_569;
  };
}

/** Each says where it stands: ECMA-376 lets it be left out, and several readers of other people rely on it. */
function cell(at: string, value: Cell, style: 0 | 1 | 3, serial: (moment: Date) => number): string {
  if (value instanceof Date) return `<c r="${at}" s="2"><v>${serial(value)}</v></c>`;
  if (typeof value === 'number' && Number.isFinite(value)) return `<c r="${at}" s="${style}"><v>${value}</v></c>`;
  const text = textOf(value);
  return text === ''
    ? `<c r="${at}"${style === 3 ? ' s="3"' : ''}/>`
    : `<c r="${at}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${sound(defuse(text).slice(0, CELL_TEXT))}</t></is></c>`;
}
/** Wide enough for its heading and a date; nobody knows the rows yet. */
const widthOf = (heading: string) => Math.min(40, Math.max(20, heading.length + 4));

async function* sheet(
  header: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  timeZone: string,
  body: 0 | 3,
): AsyncGenerator<Buffer> {
  const serial = serialIn(timeZone);
  const names = header.map((_, at) => letters(at + 1));
  const row = (number: number, cells: readonly Cell[], style: 0 | 1 | 3 = body) =>
    `<row r="${number}">${cells.map((one, at) => cell(`${names[at] ?? letters(at + 1)}${number}`, one, style, serial)).join('')}</row>`;
  const columns = header
    .map(
      (heading, at) =>
        `<col min="${at + 1}" max="${at + 1}" width="${widthOf(heading)}" customWidth="1"${body === 0 ? '' : ` style="${body}"`}/>`,
    )
    .join('');
  let batch = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>${row(1, header, 1)}`;
  let last = 1;
  for await (const cells of rows) {
    last++;
    batch += row(last, cells);
    if (batch.length > 64 * 1024) {
      yield Buffer.from(batch);
      batch = '';
    }
  }
  yield Buffer.from(`${batch}</sheetData><autoFilter ref="A1:${letters(header.length)}${last}"/></worksheet>`);
}

export interface SheetOptions {
  readonly name?: string;
  /** Moments are written as clocks show them there. */
  readonly timeZone?: string;
  /** All cells below the header are texts, those too that are still to be filled in: no zero in front gets lost. */
  readonly text?: boolean;
}

/** A workbook of one sheet, written as a stream: its memory doesn't grow with its rows. Columns can be filtered, dates are dates. */
export function xlsx(
  header: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  { name = 'Sheet1', timeZone = 'UTC', text = false }: SheetOptions = {},
): Readable {
  const zip = new ZipFile();
  for (const [part, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), part);
  zip.addBuffer(Buffer.from(workbook(name)), 'xl/workbook.xml');
  const source = Readable.from(sheet(header, rows, timeZone, text ? 3 : 0));
  const out = zip.outputStream as unknown as Readable;
  // Rows may fail before whoever is to read this has begun: it finds the failure then.
  out.on('error', () => undefined);
  source.on('error', (error) => out.destroy(error));
  // Who stops reading wants no more rows.
  out.on('close', () => source.destroy());
  zip.addReadStream(source, 'xl/worksheets/sheet1.xml');
  zip.end();
  return out;
}
