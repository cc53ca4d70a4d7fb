import { expect, test } from 'vitest';
import { upMessages } from '../messages.ts';
import { LOG_TAG_MOST, LOG_TEXT_MOST, LogLines, linesOfText, plainLine, pushLevelOf, readableLines } from './log-lines.ts';

const ESC = '\u001b';

test.each([
  [`${ESC}[31mred${ESC}[0m`, 'red'],
  [`${ESC}]0;a title\u0007after`, 'after'],
  ['bell\u0007 and null\u0000', 'bell and null'],
  ['one\r\ntwo\tthree\n', 'one\ntwo\tthree'],
  ['turned \u202egnp.exe', 'turned gnp.exe'],
  ['half \ud800', 'half \ufffd'],
  ['支付失败 💳', '支付失败 💳'],
])('%j is kept as %j', (said, kept) => expect(plainLine(said, 100)).toBe(kept));

test('a line of ten megabytes is cut, no character in half', () => {
  const kept = plainLine('💳'.repeat(2_600_000), LOG_TEXT_MOST);
  expect(kept.length).toBeLessThanOrEqual(LOG_TEXT_MOST);
  expect(kept.endsWith('…')).toBe(true);
  expect(kept.isWellFormed()).toBe(true);
  expect(plainLine('x'.repeat(5000), 10)).toBe('xxxxxxxxx…');
});

test('what is no line is left away, and what is odd is read as far as it can be', () => {
  const said = [
    null,
    'text',
    { level: 'warn' },
    { text: 5 },
    { text: 'plain' },
    { at: 'yesterday', level: 'WARNING', tag: 'a\n b', text: 'odd' },
    { at: '2026-11-26T10:00:00+02:00', level: 'fatal', tag: 'x'.repeat(500), text: 'bad' },
  ];
  expect(LogLines.parse(said)).toEqual([
    { level: 'info', tag: '', text: 'plain' },
    { level: 'warn', tag: 'a b', text: 'odd' },
    { at: '2026-11-26T10:00:00+02:00', level: 'error', tag: `${'x'.repeat(LOG_TAG_MOST - 1)}…`, text: 'bad' },
  ]);
  expect(readableLines('no list')).toBe('no list');
  expect(upMessages.log.safeParse({ lines: 'no list' }).success).toBe(false);
  expect(upMessages.log.safeParse({ to: 'x', text: 'half a piece' }).success).toBe(false);
  expect(upMessages.log.safeParse({ to: 'x', part: 0, last: true, text: '' }).success).toBe(true);
});

test('a text is taken apart into its lines, with the moments and levels that stand at their beginnings', () => {
  const text = '2026-11-26T10:00:00.123Z WARN paper low\n\n2026-11-26 10:00:01,5Z started\nplain\n9999-99-99T10:00:00Z not a day\n';
  expect(linesOfText(text, 'UTC')).toEqual([
    { at: '2026-11-26T10:00:00.123Z', level: 'warn', tag: '', text: 'paper low' },
    { at: '2026-11-26T10:00:01.500Z', level: 'info', tag: '', text: 'started' },
    { level: 'info', tag: '', text: 'plain' },
    { level: 'info', tag: '', text: '9999-99-99T10:00:00Z not a day' },
  ]);
});

test.each([
  ['2026-11-26 10:00:01.25 WARN hot', 'Asia/Shanghai', '2026-11-26T02:00:01.250Z'],
  ['2026-07-01T00:30:00 WARN hot', 'America/New_York', '2026-07-01T04:30:00.000Z'],
  ['2026-11-26T10:00:00+02:00 WARN hot', 'Asia/Shanghai', '2026-11-26T08:00:00.000Z'],
  ['2026-11-26T10:00:00 WARN hot', 'Nowhere/City', '2026-11-26T10:00:00.000Z'],
])('%s in %s is of %s', (text, zone, at) => expect(linesOfText(text, zone)).toMatchObject([{ at, level: 'warn', text: 'hot' }]));

test('what a terminal sends by itself begins with warnings, unless its settings say otherwise', () => {
  expect([{}, { 'log.level': 'debug' }, { 'log.level': 'off' }, { 'log.level': 7 }].map(pushLevelOf)).toEqual([
    'warn',
    'debug',
    'off',
    'warn',
  ]);
});
