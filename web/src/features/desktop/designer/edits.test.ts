import { Layout, type ScreenLayout } from '@mooring/contract/desktop/layout';
import { layoutProblems } from '@mooring/contract/desktop/layout-rules';
import { expect, test } from 'vitest';
import { addPage, addTile, movePage, neighbour, placeTile, removePage, removeTile } from './edits.ts';

const empty = Layout.parse({ columns: 4, rows: 3, width: 720, height: 1280, pages: [{ tiles: [] }] });
const app = (name: string) => ({ kind: 'app' as const, package: `com.shop.${name}`, label: name });
const one = { w: 1, h: 1 };

test('a new tile takes the first free place of its size, and none where the page is full', () => {
  let layout: ScreenLayout = empty;
  for (let at = 0; at < 12; at += 1) {
    const added = addTile(layout, 0, app(`a${at}`), one);
    layout = added?.layout ?? empty;
    expect(layout.pages[0]?.tiles.at(-1)).toMatchObject({ x: at % 4, y: Math.floor(at / 4) });
  }
  expect(addTile(layout, 0, app('more'), one)).toBeUndefined();
  expect(layoutProblems(layout)).toEqual([]);
  const gap = removeTile(layout, 0, 't6');
  expect(addTile(gap, 0, app('a5'), one)?.layout.pages[0]?.tiles.at(-1)).toMatchObject({ x: 1, y: 1, id: 't13' });
});

test('a tile moves to where there is room, and nowhere else', () => {
  const first = addTile(empty, 0, app('one'), { w: 2, h: 2 });
  const both = addTile(first?.layout ?? empty, 0, app('two'), one)?.layout ?? empty;
  expect(placeTile(both, 0, 't2', { x: 1, y: 1, ...one })).toBeUndefined();
  expect(placeTile(both, 0, 't2', { x: 4, y: 0, ...one })).toBeUndefined();
  expect(placeTile(both, 0, 't2', { x: -1, y: 0, ...one })).toBeUndefined();
  expect(placeTile(both, 0, 't1', { x: 0, y: 0, w: 2, h: 3 })?.pages[0]?.tiles[0]).toMatchObject({ w: 2, h: 3 });
  expect(placeTile(both, 0, 't2', { x: 3, y: 2, ...one })?.pages[0]?.tiles[1]).toMatchObject({ x: 3, y: 2 });
});

test('arrow keys come to the tile that lies there', () => {
  const tiles =
    ['one', 'two', 'three', 'four', 'five'].reduce((layout, name) => addTile(layout, 0, app(name), one)?.layout ?? layout, empty).pages[0]
      ?.tiles ?? [];
  const [first, second, , , fifth] = tiles;
  if (!first || !second || !fifth) throw new Error('too few');
  expect(neighbour(tiles, first, [1, 0])?.id).toBe(second.id);
  expect(neighbour(tiles, first, [0, 1])?.id).toBe(fifth.id);
  expect(neighbour(tiles, first, [-1, 0])).toBeUndefined();
});

test('pages come and go', () => {
  const two = addPage(empty);
  expect(two.pages).toHaveLength(2);
  expect(removePage(two, 0).pages).toHaveLength(1);
});

test('a page moves among the others, to the front too; what it leaves closes up', () => {
  const pages = ['a', 'b', 'c'].map((id) => ({ tiles: [{ ...app(id), ...one, id, x: 0, y: 0 }] }));
  const order = (from: number, to: number) =>
    movePage({ ...empty, pages }, from, to)
      .pages.map(({ tiles }) => tiles[0]?.id)
      .join('');
  expect([order(2, 0), order(0, 1), order(1, 2), order(1, 1)]).toEqual(['cab', 'bac', 'acb', 'abc']);
});
