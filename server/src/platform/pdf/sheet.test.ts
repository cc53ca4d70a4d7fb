import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { linesOf, visualRuns } from './lay-out.ts';
import { pdfSheet } from './sheet.ts';

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

test('a document of any language has its letters, and only those fonts that it needs', async () => {
  const sheet = pdfSheet({ title: '工单', lang: 'zh-CN', now: new Date(0) });
  sheet.title('AS2026-00001', '售后工单');
  sheet.facts([
    ['故障', '终端打印机卡纸'],
    ['العطل', 'الطابعة'],
    ['空', ''],
  ]);
  sheet.table(
    [
      { title: '项目', share: 0.6 },
      { title: '金额', share: 0.4, side: 'end' },
    ],
    [['滚轴', '¥12.50']],
    ['合计', '¥12.50'],
  );
  const bytes = await sheet.end((page, pages) => `${page} / ${pages}`);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const letters = drawnIn(bytes);
  for (const letter of '终端打印机卡纸滚轴合计') expect(letters).toContain(letter);
  expect(letters).not.toContain('空');
  expect(bytes.length).toBeLessThan(60_000);
});

test('as many pages as there is to say', async () => {
  const sheet = pdfSheet({ title: 'Long', lang: 'en', now: new Date(0) });
  sheet.table(
    [{ title: 'Line', share: 1 }],
    Array.from({ length: 200 }, (_, at) => [`Line ${at}`]),
  );
  const feet: string[] = [];
  await sheet.end((page, pages) => {
    feet.push(`${page}/${pages}`);
    return feet.at(-1) ?? '';
  });
  expect(feet.length).toBeGreaterThan(3);
  expect(feet.at(-1)).toBe(`${feet.length}/${feet.length}`);
});
