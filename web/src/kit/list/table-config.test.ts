import { expect, it } from 'vitest';
import { mergeConfig, moveColumn, shownColumns, toConfig } from './table-config.ts';

const columns = [{ key: 'sn', width: 160, pinned: 'left' as const }, { key: 'name' }, { key: 'note', off: true }];
const keys = (choice: ReturnType<typeof mergeConfig>) => choice.columns.map((column) => column.key);

it('is the declaration where nothing is kept', () => {
  const choice = mergeConfig(columns, undefined);
  expect(choice).toMatchObject({ size: 50, isSingleLine: true });
  expect(shownColumns(choice).map((column) => column.key)).toEqual(['sn', 'name']);
});

it('keeps order, width and sight; forgets what is gone, places what is new', () => {
  const choice = mergeConfig(columns, {
    size: 50,
    isSingleLine: false,
    configs: [
      { key: 'gone', visible: true },
      { key: 'note', visible: true, flag: true, width: 300 },
      { key: 'sn', visible: false },
    ],
  });
  expect(choice.size).toBe(50);
  expect(keys(choice)).toEqual(['note', 'sn', 'name']);
  expect(choice.columns[0]).toMatchObject({ width: 300, resized: true });
  expect(shownColumns(choice).map((column) => column.key)).toEqual(['note', 'name']);
});

it('never ends without a column, and survives nonsense', () => {
  expect(shownColumns(mergeConfig(columns, { configs: columns.map(({ key }) => ({ key, visible: false })) }))).toHaveLength(1);
  expect(
    mergeConfig(columns, {
      size: 1e9,
      configs: [
        { key: 'sn', visible: true },
        { key: 'sn', visible: true },
      ],
    }).columns,
  ).toHaveLength(3);
});

it('goes out and comes back the same', () => {
  const choice = moveColumn(
    mergeConfig(columns, { configs: [{ key: 'name', visible: true, flag: true, width: 222, pinned: 'right' }] }),
    'note',
    -5,
  );
  const { code: _code, ...kept } = toConfig('t', choice);
  expect(mergeConfig(columns, kept)).toEqual(choice);
});
