import { describe, expect, it } from 'vitest';
import { checkSheet } from './excel.ts';
import { checkPassword, defaultPasswordRules, isRepeated } from './password.ts';
import { baseName, Digits, Email, fileName, hasChinese, isIpv4WithPort, Money, moneyInput, WebUrl } from './patterns.ts';

const table: [string, (value: string) => boolean, accepted: string[], refused: string[]][] = [
  ['digits', (v) => Digits.safeParse(v).success, ['123', '123456789012345'], ['', '12', '1234567890123456', '12a', ' 123', '١٢٣']],
  [
    'e-mail',
    (v) => Email.safeParse(v).success,
    ['a@b.co', 'first.last+tag@mail.example.org'],
    ['', 'a@b', 'a b@c.de', '@b.co', 'a@', 'a@b..co', 'a@b@c.de', 'a@b.'],
  ],
  [
    'URL',
    (v) => WebUrl.safeParse(v).success,
    ['http://a', 'https://a.b/c?d#e', 'ftp://files.example/x', 'HTTPS://A.B'],
    ['', 'a.b', 'javascript:alert(1)', 'http://', 'http:// a', 'mailto:a@b.c', 'https://a b'],
  ],
  [
    'IPv4 with port',
    isIpv4WithPort,
    ['10.0.0.7:8080', '0.0.0.0:1', '255.255.255.255:65535'],
    ['10.0.0.7', '10.0.0.7:0', '10.0.0.7:65536', '256.0.0.1:80', '10.0.0:80', '01.0.0.1:80', 'host:80'],
  ],
  ['Chinese', hasChinese, ['中', 'abc终端', '𠀀'], ['', 'abc', 'あ', '한', '!，']],
  [
    'file base name up to 5',
    (v) => fileName(5).safeParse(v).success,
    ['abcde.zip', 'a', '/long/folder/ab.c.d', '.env'],
    ['abcdef.zip', ''],
  ],
  [
    'money',
    (v) => Money.safeParse(v).success,
    ['0', '12345678', '1.5', '99999999.99'],
    ['', '123456789', '1.234', '.5', '1.', '-1', '1,5'],
  ],
];

describe.each(table)('%s', (_name, check, accepted, refused) => {
  it.each(accepted)('accepts %j', (value) => expect(check(value)).toBe(true));
  it.each(refused)('refuses %j', (value) => expect(check(value)).toBe(false));
});

it.each([
  ['12a3.4.56x', '123.45'],
  ['1234567890.999', '12345678.99'],
  ['¥ 7', '7'],
  ['.5', '.5'],
  ['12,50', '12.50'],
  ['12,', '12.'],
  ['1,250.75', '1250.75'],
  ['1.250,75', '1250.75'],
  ['1,250', '1250'],
  ['1,250,000', '1250000'],
])('keeps of typed money %j only %j', (typed, kept) => expect(moneyInput(typed)).toBe(kept));

it.each([
  ['a/b/c.tar.gz', 'c.tar'],
  ['C:\\x\\y.zip', 'y'],
  ['plain', 'plain'],
])('base name of %j is %j', (file, name) => expect(baseName(file)).toBe(name));

it('compares the header of a sheet and leaves out blank rows', () => {
  const sheet = [
    ['SN', 'Name'],
    ['1', ''],
    ['', '  '],
    ['', 'x'],
  ];
  expect(checkSheet(sheet, ['SN', 'Name'])).toMatchObject({ ok: true, rows: [{ number: 2 }, { number: 4 }] });
  expect(checkSheet(sheet, ['SN', 'Title']).wrong).toEqual([{ column: 1, expected: 'Title', found: 'Name' }]);
  expect(checkSheet([], undefined).ok).toBe(true);
});

describe('password', () => {
  const rules = { ...defaultPasswordRules, sameCharLimit: 2 };
  const who = { account: 'Harbour7x', email: 'pilot8@sea.io' };
  it.each(['Harbour7', 'sea.7lion', 'a1!b2?c3', 'ABCD.exgk', 'Q7w#r2t!'])('accepts %j', (value) =>
    expect(checkPassword(value, rules, who).problems).toEqual([]),
  );
  it.each([
    ['short7', 'length'],
    ['waytoolong7waytoolong7', 'length'],
    ['onlylower', 'types'],
    ['海海港港船船锚锚', 'types'],
    ['Harbour777', 'same'],
    ['xxqwe7dock', 'sequence'],
    ['xxEWQ7dock', 'sequence'],
    ['dock321dock', 'sequence'],
    ['Dock!@#dock', 'sequence'],
    ['Harbour7x', 'account'],
    ['pilot8@sea.io', 'email'],
  ])('refuses %j: %s', (value, problem) => expect(checkPassword(value, rules, who).problems).toContain(problem));
  it('waits while nothing is typed', () => {
    expect(checkPassword('').checks).toEqual({ length: 'pending', types: 'pending', sequence: 'pending', same: 'pending' });
  });
  it('lets same characters be where the limit is off', () => expect(checkPassword('aaaaaaa7').checks.same).toBe('passed'));
  it('asks for a counted character even with no minimum', () => {
    expect(checkPassword('海港海港海港海港', { ...rules, charTypeMin: 0 }).checks.types).toBe('failed');
  });
  it('asks for the repeat again', () => {
    expect([isRepeated('a', ''), isRepeated('a', 'b'), isRepeated('', ''), isRepeated('a', 'a')]).toEqual([false, false, false, true]);
  });
});
