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
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
};

const sound = (text: string) =>
  text
    // XML knows no control characters.
    .replace(/[[\p{Cc}--[\t\n\r]]\uFFFE\uFFFF]/gv, '')
    .replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));

function cell(value: Cell, style: 0 | 1): string {
  if (typeof value === 'number' && Number.isFinite(value)) return `<c s="${style}"><v>${value}</v></c>`;
  const text = textOf(value);
  return text === ''
    ? '<c/>'
    : `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${sound(defuse(text).slice(0, CELL_TEXT))}</t></is></c>`;
}
const row = (cells: readonly Cell[], style: 0 | 1 = 0) => `<row>${cells.map((one) => cell(one, style)).join('')}</row>`;

async function* sheet(header: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  let batch = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${row(header, 1)}`;
  for await (const cells of rows) {
    batch += row(cells);
    if (batch.length > 64 * 1024) {
      yield Buffer.from(batch);
      batch = '';
    }
  }
  yield Buffer.from(`${batch}</sheetData></worksheet>`);
}

/** A workbook of one sheet, written as a stream: its memory doesn't grow with its rows. */
export function xlsx(header: readonly string[], rows: AsyncIterable<readonly Cell[]>): Readable {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  const source = Readable.from(sheet(header, rows));
  const out = zip.outputStream as unknown as Readable;
  source.on('error', (error) => out.destroy(error));
  zip.addReadStream(source, 'xl/worksheets/sheet1.xml');
  zip.end();
  return out;
}
