import { expect, test } from 'vitest';
import { linksIn, picturesIn, plainText, readMarkdown, refusedLink, safeHref } from './markdown.ts';

test('what people write is read as headings, lists, links and tables', () => {
  expect(readMarkdown('# Work\n\nFrom **two** to *four*, see [status](https://example.com/a?b=1&c=2).\n\n1. One\n2. Two')).toEqual([
    { kind: 'heading', level: 1, of: [{ kind: 'text', text: 'Work' }] },
    {
      kind: 'paragraph',
      of: [
        { kind: 'text', text: 'From ' },
        { kind: 'strong', of: [{ kind: 'text', text: 'two' }] },
        { kind: 'text', text: ' to ' },
        { kind: 'em', of: [{ kind: 'text', text: 'four' }] },
        { kind: 'text', text: ', see ' },
        { kind: 'link', href: 'https://example.com/a?b=1&c=2', of: [{ kind: 'text', text: 'status' }] },
        { kind: 'text', text: '.' },
      ],
    },
    {
      kind: 'list',
      ordered: true,
      start: 1,
      items: [[{ kind: 'paragraph', of: [{ kind: 'text', text: 'One' }] }], [{ kind: 'paragraph', of: [{ kind: 'text', text: 'Two' }] }]],
    },
  ]);
  expect(plainText('# Work\n\n- One **two**\n- [three](https://a.example)\n\n| a | b |\n|---|---|\n| 1 | 2 |')).toBe(
    'Work\n• One two\n• three\na · b\n1 · 2',
  );
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <svg/onload=alert(1)> b',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
])('markup stays the text that it is: %s', (html) => {
  const read = readMarkdown(html);
  expect(JSON.stringify(read)).not.toMatch(/"kind":"(link|picture)"/);
  expect(plainText(html)).toBe(html);
});

test.each([
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  ['java\tscript:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['vbscript:x', undefined],
  ['file:///etc/passwd', undefined],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['\u0001javascript:x', undefined],
  ['\u200bhttps://a.example', undefined],
  ['https://a.example/x', 'https://a.example/x'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  ['/device/all', '/device/all'],
])('the address %j', (href, taken) => expect(safeHref(href)).toBe(taken));

test('a link that leads nowhere safe is text, and the reason why a text is refused', () => {
  expect(linksIn('[x](javascript:alert(1)) [y](https://a.example)')).toEqual(['https://a.example']);
  expect(refusedLink('see [x](javascript:alert(1))')).toBe('javascript:alert(1');
  expect(refusedLink('**see [x](data:text/html;base64,AAAA)**')).toBe('data:text/html;base64,AAAA');
  expect(refusedLink('![x](https://tracker.example/a.png)')).toBe('https://tracker.example/a.png');
  expect(refusedLink('see [x](https://a.example) and [y](/device/all) and [brackets] (alone)')).toBeUndefined();
  expect(picturesIn('- ![plan](file:12)\n\n> ![x](file:13)')).toEqual([12, 13]);
});

test.each([
  ['>'.repeat(20_000)],
  ['- '.repeat(10_000)],
  ['['.repeat(20_000)],
  ['*a '.repeat(10_000)],
  ['`'.repeat(20_000)],
  ['![](('.repeat(8_000)],
  ['<a '.repeat(12_000)],
  ['_'.repeat(39_000)],
  [`${`>${' '.repeat(6)}`.repeat(15)}x`],
  [`${'- \t '.repeat(15)}x`],
  [`${'|x'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'x\n'.repeat(4000)}`],
])('what is made to be slow is read in time: %#', (text) => {
  const began = performance.now();
  expect(readMarkdown(text).length).toBeGreaterThanOrEqual(0);
  expect(performance.now() - began).toBeLessThan(2000);
});

test('a mail has the addresses of its links', () => {
  expect(plainText('read [the form](https://a.example/f) and https://b.example', true)).toBe(
    'read the form (https://a.example/f) and https://b.example',
  );
  expect(plainText('read [the form](https://a.example/f)')).toBe('read the form');
});

test.each(['https:/manager/device', 'https:settings', 'https://bank@evil.example', 'https://u:p@evil.example'])(
  '%s is no address',
  (href) => expect(safeHref(href)).toBeUndefined(),
);

test.each([
  ['a rule of many dashes', `# Hours\n\n${'-'.repeat(40)}\n\nNine to five`],
  ['a heading underlined with many dashes', `Hours\n${'-'.repeat(40)}\n\nNine to five`],
  ['a table without an outer bar', `${'a'.repeat(20)} | b\n${'-'.repeat(20)} | ---\n1 | 2\n\nNine to five`],
  ['a line with many bars among many lines', `${'|'.repeat(26)}\n\n${'Nine to five\n\n'.repeat(500)}`],
])('%s is read as what it is', (_name, text) => {
  expect(readMarkdown(text).length).toBeGreaterThan(1);
});
