import { isRightToLeft } from '@mooring/contract/shared/format';
import PDFDocument from 'pdfkit';
import { footOf, type Label, type PdfDocument, type PdfPart, type Side } from './document.ts';
import { type FontName, fontBytes } from './fonts.ts';
import { labelLines, placedLabels, qrStretches } from './labels.ts';
import { type Direction, type Line, linesOf, type Run, visualRuns } from './lay-out.ts';

type Doc = PDFKit.PDFDocument;
const MARGIN = 48;
const FOOT = 40;
const LEADING = 1.45;
const [PICTURE_HEIGHT, GAP] = [190, 10];
const [INK, QUIET, LINE] = ['#1d2129', '#5b6472', '#d5d9e0'];
/** Whole runs are shaped at once: by its words alone an Arabic line would come in the wrong order. */
const shaped = (): PDFKit.Mixins.TextOptions => ({ features: [], lineBreak: false });

interface Look {
  readonly size?: number;
  readonly color?: string;
  readonly side?: Side;
}
interface Box extends Look {
  readonly x: number;
  readonly width: number;
}

/** Draws a document on A4 pages; its fonts travel with it, as far as they are used. */
export async function drawSheet({ title, lang, now, parts, foot }: PdfDocument): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    bufferPages: true,
    lang,
    displayTitle: true,
    info: { Title: title, CreationDate: now, ModDate: now, Producer: 'Mooring', Creator: 'Mooring' },
  });
  const pen = makePen(doc, isRightToLeft(lang) ? 'rtl' : 'ltr');
  for (const part of parts) pen.draw(part);
  return finish(doc, pen, foot);
}

/** What is drawn on a page, from the top down. */
function makePen(doc: Doc, direction: Direction) {
  const width = doc.page.width - 2 * MARGIN;
  const write = makeWriter(doc, direction);
  /** The next piece stands on one page. */
  const room = (height: number) => {
    if (doc.y + height > doc.page.height - MARGIN - FOOT && doc.y > MARGIN) doc.addPage();
  };
  const rule = () => {
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + width, doc.y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    doc.y += 6;
  };
  /** Cells beside each other; a line that the page has no room for goes on on the next one. */
  const cells = (texts: readonly (readonly [string, Box])[]) => {
    const lines = texts.map(([text, box]) => [write.lines(text, box), box] as const);
    const most = Math.max(...lines.map(([own]) => own.length));
    for (let at = 0; at < most; at += 1) {
      const height = Math.max(...lines.map(([, box]) => write.height(box)));
      room(height);
      const { y } = doc;
      for (const [own, box] of lines) for (const line of own.slice(at, at + 1)) write.line(line, box, y);
      doc.y = y + height;
    }
  };
  const whole = (look: Look): Box => ({ x: MARGIN, width, ...look });
  const column = (from: number, share: number, look: Look): Box => {
    const x = direction === 'rtl' ? 1 - from - share : from;
    return { x: MARGIN + x * width, width: share * width - 8, ...look };
  };
  const heading = (text: string) => {
    room(60);
    doc.y += 12;
    cells([[text, whole({ size: 12 })]]);
    doc.y += 2;
    rule();
  };
  const table = ({ columns, rows, total }: Extract<PdfPart, { kind: 'table' }>) => {
    const boxes = columns.map(({ share, side = 'start' }, at) => {
      const from = columns.slice(0, at).reduce((sum, one) => sum + one.share, 0);
      return (look: Look) => column(from, share, { side, ...look });
    });
    const draw = (texts: readonly string[], look: Look) => cells(boxes.map((box, at) => [texts[at] ?? '', box(look)] as const));
    doc.y += 8;
    draw(
      columns.map((one) => one.title),
      { size: 8.5, color: QUIET },
    );
    for (const row of rows) draw(row, {});
    if (!total) return;
    doc.y += 3;
    rule();
    const last = boxes.at(-1);
    if (last)
      cells([
        [total[0], column(0, 0.6, { size: 11 })],
        [total[1], last({ size: 11 })],
      ]);
  };
  const facts = (rows: readonly (readonly [string, string])[]) => {
    for (const [name, value] of rows)
      if (value)
        cells([
          [name, column(0, 0.3, { color: QUIET })],
          [value, column(0.3, 0.7, {})],
        ]);
  };
  const labels = (all: readonly Label[]) => {
    let on = 0;
    for (const { label, page, x, y, width: wide, height } of placedLabels(all, doc.page)) {
      if (page > on) doc.addPage();
      on = page;
      // They reach to the edge, where a text would begin a page of its own.
      doc.page.margins.bottom = 0;
      for (const one of qrStretches(label.code, height)) doc.rect(x + one.x, y + one.y, one.width, one.height);
      doc.fillColor('#000000').fill();
      const box = { x: x + height, width: wide - height };
      const fits = { width: box.width, height, heightOf: (size: number) => write.height({ size }) };
      let at = y;
      for (const { line, size, isFirst } of labelLines(label.lines, fits, write.measure, direction)) {
        write.line(line, { ...box, size, color: isFirst ? INK : QUIET }, at);
        at += write.height({ size });
      }
    }
  };
  const pictures = (all: readonly Uint8Array[]) => {
    const half = (width - GAP) / 2;
    for (let at = 0; at < all.length; at += 2) {
      room(PICTURE_HEIGHT + GAP);
      const beside = all.slice(at, at + 2);
      for (const [place, bytes] of beside.entries()) {
        const x = MARGIN + ((place === 1) === (direction === 'ltr') ? half + GAP : 0);
        doc.image(Buffer.from(bytes), x, doc.y, { fit: [half, PICTURE_HEIGHT], align: 'center', valign: 'center' });
      }
      doc.y += PICTURE_HEIGHT + GAP;
    }
  };
  const draw = (part: PdfPart) => {
    if (part.kind === 'title') {
      cells([[part.text, whole({ size: 18 })]]);
      if (part.note) cells([[part.note, whole({ color: QUIET })]]);
    } else if (part.kind === 'heading') heading(part.text);
    else if (part.kind === 'facts') facts(part.rows);
    else if (part.kind === 'table') table(part);
    else if (part.kind === 'pictures') pictures(part.pictures);
    else if (part.kind === 'labels') labels(part.labels);
    else cells([[part.text, whole({})]]);
  };
  return { write, draw };
}

/** Draws lines in the fonts that have their letters. */
function makeWriter(doc: Doc, direction: Direction) {
  const known = new Set<FontName>();
  const widths = new Map<string, number>();
  const use = ({ font }: Run, size: number) => {
    if (!known.has(font)) doc.registerFont(font, fontBytes(font));
    known.add(font);
    return doc.font(font, size);
  };
  const measure = (size: number) => (run: Run) => {
    const key = `${size} ${run.font} ${run.text}`;
    const found = widths.get(key) ?? use(run, size).widthOfString(run.text, shaped());
    widths.set(key, found);
    return found;
  };
  return {
    measure,
    height: ({ size = 10 }: Look) => size * LEADING,
    lines: (text: string, { width, size = 10 }: Box) => linesOf(text, width, measure(size), direction),
    line: (line: Line, { x, width, size = 10, color = INK, side = 'start' }: Box, y: number) => {
      const runs = visualRuns(line);
      const wide = runs.reduce((sum, run) => sum + measure(size)(run), 0);
      let at = (side === 'end') === (direction === 'rtl') ? x : x + width - wide;
      for (const run of runs) {
        // Fonts differ in their ascent: what they share is the line that letters stand on.
        use(run, size)
          .fillColor(color)
          .text(run.text, at, y + size, { ...shaped(), baseline: 'alphabetic' });
        at += measure(size)(run);
      }
    },
  };
}

async function finish(doc: Doc, { write }: ReturnType<typeof makePen>, foot: string): Promise<Buffer> {
  const { start, count } = doc.bufferedPageRange();
  const box = { x: MARGIN, width: doc.page.width - 2 * MARGIN, size: 8.5, color: QUIET };
  for (let at = start; at < start + count; at += 1) {
    doc.switchToPage(at);
    // Below the margin a text would begin a page of its own.
    doc.page.margins.bottom = 0;
    for (const line of write.lines(footOf(foot, at + 1, count), box).slice(0, 1)) write.line(line, box, doc.page.height - MARGIN - 10);
  }
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  doc.end();
  await ended;
  return Buffer.concat(parts);
}
