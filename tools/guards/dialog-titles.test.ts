import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { dialogTitleFaults } from './dialog-titles.ts';
import { sourceFiles } from './source-files.ts';

const english = new Map(Object.values(textTables).flatMap((table) => Object.entries(table).map(([key, [en]]) => [key, en] as const)));

test('every dialog says in its title what it is about', () => {
  expect(dialogTitleFaults(sourceFiles(), english)).toEqual([]);
});

const texts = new Map([
  ['a.remove', 'Remove'],
  ['a.sure', '{act} “{name}”?'],
  ['a.add', 'Add member'],
]);
const seen = (text: string) => dialogTitleFaults([{ path: 'web/src/a.tsx', text }], texts);

test.each([
  '<Confirm open title={t("a")} title="a.remove" onClose={() => {}}>',
  "<Confirm open={open === 'x'} danger onClose={() => go(1 > 0)} title={t('a.remove')} confirm={t('a.add')}>",
  "<Dialog title={t(some ? 'a.remove' : 'a.add')}>",
  '<FormDialog title="a.remove" call={call} />',
])('is seen: %s', (text) => {
  expect(seen(text)).toHaveLength(1);
});

test.each([
  "<Confirm title={t('a.sure', { act: t('a.remove'), name })} confirm={t('a.remove')}>",
  '<FormDialog title="a.remove" of={row.name} />',
  '<FormDialog title="a.add" submit="a.remove" />',
  '<Card title="a.remove">',
])('passes: %s', (text) => {
  expect(seen(text)).toEqual([]);
});
