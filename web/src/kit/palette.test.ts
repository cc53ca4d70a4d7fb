import { expect, test } from 'vitest';
import { arrange, rank } from './palette.ts';

const item = (label: string) => ({ key: label, label, to: `/${label}` });
const group = (title: string, ...labels: string[]) => ({ title, items: labels.map(item) });
const titles = (groups: readonly { readonly title: string }[]) => groups.map(({ title }) => title);

test('what a domain finds later stands below what the console itself offers by this word', () => {
  const own = [group('Pages'), group('Actions', 'Switch to Operations')];
  expect(titles(arrange(own, [], 'Operations'))).toEqual(['Actions']);
  expect(titles(arrange(own, [group('IoT platforms', 'Operations cloud')], 'Operations'))).toEqual(['Actions', 'IoT platforms']);
});

test('nothing is done at once by letters that only stand somewhere in its name', () => {
  const out = { key: 'out', label: 'Sign out', run: () => undefined };
  expect(rank('Sign out', 'sit')).toBe(1);
  expect(arrange([{ title: 'Actions', items: [out] }], [], 'sit')).toEqual([]);
});

test('a page that has only the typed letters in order stands below what was found, and leaves when the console knows better', () => {
  expect(rank('Terminal labels', 'tlls')).toBe(1);
  const pages = group('Pages', 'Terminal labels');
  expect(titles(arrange([pages], [group('Apps', 'Tlls till')], 'tlls'))).toEqual(['Apps', 'Pages']);
  expect(titles(arrange([pages, group('Actions', 'Tlls')], [], 'tlls'))).toEqual(['Actions']);
});
