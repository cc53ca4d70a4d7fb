import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { footOf, PAGE, PAGES, type PdfPart } from './document.ts';
import { labelLines, placedLabels, qrStretches } from './labels.ts';
import { linesOf, linesWithin, visualRuns } from './lay-out.ts';
import { drawSheet } from './sheet.ts';

const ten = ({ text }: { readonly text: string }) => [...text].length * 10;
const seen = (text: string, direction: 'ltr' | 'rtl') => visualRuns({ text, direction }).map((run) => [run.font, run.text]);
const words = (text: string, width: number) => linesOf(text, width, ten, 'ltr').map((line) => line.text);

test('lines end between words, between Han characters, and inside of what no line holds', () => {
  expect(words('one two three', 80)).toEqual(['one two', 'three']);
  expect(words('打印机卡纸，无法出纸。', 50)).toEqual(['打印机卡', '纸，无法出', '纸。']);
  expect(words('xxxxxxxxxxxx', 50)).toEqual(['xxxxx', 'xxxxx', 'xx']);
  expect(words('a\n\nb', 50)).toEqual(['a', '', 'b']);
  expect(words('', 50)).toEqual(['']);
});

test('a line keeps the direction of its paragraph', () => {
  const lines = linesOf('الطابعة (A20) لا تعمل', 80, ten, 'ltr');
  expect(lines.map((line) => line.direction)).toEqual(lines.map(() => 'rtl'));
  expect(linesOf('2026-01-01', 200, ten, 'rtl')).toEqual([{ text: '2026-01-01', direction: 'rtl' }]);
});

test('each letter has a font that knows it, and what turns is turned', () => {
  expect(seen('Łódź 打印 Привет', 'ltr').map(([font]) => font)).toEqual(['latin-ext', 'latin', 'latin-ext', 'han', 'cyrillic']);
  // From left to right: the number stands at the left of the word that it follows.
  expect(seen('كلمة 12', 'rtl').map(([, text]) => text?.trim())).toEqual(['12', '', 'كلمة'].filter(Boolean));
  // What opens on the right is drawn as what closes on the left.
  expect(seen('(A) كلمة', 'rtl').at(-1)?.[1]).toContain(')');
  expect(seen('a😀b\u0007', 'ltr')).toEqual([['latin', 'a?b']]);
});

/** Characters that the fonts inside of a document say that they draw. */
function drawnIn(bytes: Buffer): string {
  const streams = bytes.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g);
  let found = '';
  for (const [, raw = ''] of streams) {
    try {
      const text = inflateSync(Buffer.from(raw, 'latin1')).toString('latin1');
      if (text.includes('begincmap'))
        for (const [, hex = ''] of text.matchAll(/<([0-9a-f]{4})>/g)) found += String.fromCharCode(Number.parseInt(hex, 16));
    } catch {
      // A picture or a font.
    }
  }
  return found;
}

const document = (lang: string, parts: readonly PdfPart[]) =>
  drawSheet({ title: 'Order', lang, now: new Date(0), parts, foot: `${PAGE} / ${PAGES}` });

test('a document of any language has its letters, and only those fonts that it needs', async () => {
  const bytes = await document('zh-CN', [
    { kind: 'title', text: 'AS2026-00001', note: '售后工单' },
    {
      kind: 'facts',
      rows: [
        ['故障', '终端打印机卡纸'],
        ['العطل', 'الطابعة'],
        ['空', ''],
      ],
    },
    {
      kind: 'table',
      columns: [
        { title: '项目', share: 0.6 },
        { title: '金额', share: 0.4, side: 'end' },
      ],
      rows: [['滚轴', '¥12.50']],
      total: ['合计', '¥12.50'],
    },
  ]);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const letters = drawnIn(bytes);
  for (const letter of '终端打印机卡纸滚轴合计') expect(letters).toContain(letter);
  expect(letters).not.toContain('空');
  expect(bytes.length).toBeLessThan(60_000);
});

test('as many pages as there is to say', async () => {
  const rows = Array.from({ length: 200 }, (_, at) => [`Line ${at}`]);
  const bytes = await document('en', [{ kind: 'table', columns: [{ title: 'Line', share: 1 }], rows }]);
  const pages = bytes.toString('latin1').match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(3);
  expect(footOf(`Page ${PAGE} of ${PAGES}`, 2, 5)).toBe('Page 2 of 5');
});

test('pictures stand two beside each other and begin a page where there is no room for them', async () => {
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer();
  const drawn = async (lang: string, count: number) => {
    const bytes = await document(lang, [{ kind: 'pictures', pictures: Array.from({ length: count }, () => picture) }]);
    const found = bytes.toString('latin1');
    return [found.match(/\/Subtype \/Image/g)?.length, found.match(/\/Type \/Page\b/g)?.length];
  };
  expect(await drawn('en', 1)).toEqual([1, 1]);
  expect(await drawn('ar', 9)).toEqual([9, 2]);
});

test('labels stand three by eight, each with its code; a code is drawn from left to right within its square', async () => {
  const page = { width: 595.28, height: 841.89 };
  const mm = 72 / 25.4;
  const many = Array.from({ length: 25 }, (_, at) => ({ code: `SN${at}`, lines: [`SN${at}`] }));
  const placed = placedLabels(many, page);
  expect(placed.filter((one) => one.page === 0)).toHaveLength(24);
  // As the sheets that are sold: 70 by 37 mm each, without a margin, with what printers reach inside of each.
  expect([(placed[1]?.x ?? 0) - (placed[0]?.x ?? 0), (placed[3]?.y ?? 0) - (placed[0]?.y ?? 0)]).toEqual([
    expect.closeTo(70 * mm, 3),
    expect.closeTo(37 * mm, 3),
  ]);
  for (const { x, y, width, height } of placed) {
    expect(Math.min(x, y, page.width - x - width, page.height - y - height)).toBeGreaterThan(4 * mm);
    expect([width, height]).toEqual([expect.closeTo(61 * mm, 3), expect.closeTo(28 * mm, 3)]);
  }
  for (const { x, y, width, height } of qrStretches('SN00000001', 80)) {
    expect(Math.min(x, y, width, height)).toBeGreaterThan(0);
    expect(Math.max(x + width, y + height)).toBeLessThan(80);
  }
  const bytes = await document('en', [{ kind: 'labels', labels: many }]);
  expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  expect(drawnIn(bytes)).toContain('S');
});

test('a serial number is whole on its label, however long; what else doesn’t fit ends with an ellipsis', () => {
  expect(linesWithin('one two three four', 1, 80, ten, 'ltr').map((line) => line.text)).toEqual(['one two…']);
  expect(linesWithin('打印机卡纸', 1, 40, ten, 'ltr').map((line) => line.text)).toEqual(['打印机…']);
  expect(linesWithin('one two', 1, 80, ten, 'ltr').map((line) => line.text)).toEqual(['one two']);
  const measure = (size: number) => (run: { readonly text: string }) => [...run.text].length * size * 0.9;
  const fits = { width: 93, height: 79, heightOf: (size: number) => size * 1.45 };
  const serial = 'WWWWWWWWWWMMMMMMMMMM012345678901';
  const found = labelLines(
    [serial, 'A very long name of a terminal indeed', 'A920', 'Harbour Bank, branch of the old town'],
    fits,
    measure,
    'ltr',
  );
  const first = found.filter((one) => one.isFirst);
  expect(first.map(({ line }) => line.text).join('')).toBe(serial);
  expect(first.length).toBeLessThanOrEqual(2);
  for (const { line, size } of found) expect(measure(size)(line)).toBeLessThanOrEqual(fits.width);
  expect(found.reduce((sum, { size }) => sum + size * 1.45, 0)).toBeLessThanOrEqual(fits.height);
  expect(found.map(({ line }) => line.text)).toEqual(expect.arrayContaining(['A920', 'Bank, branc…']));
  expect(labelLines(['SN00000001'], fits, measure, 'ltr')).toMatchObject([{ size: 9.5 }]);
});
