import { Layout, screensOf, type Tile } from '@mooring/contract/desktop/layout';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { expect, test } from 'vitest';
import { reflow } from './reflow.ts';
import {
  addScreen,
  changedScreen,
  changeScreens,
  commonScreens,
  drawnScreens,
  makeMain,
  mayAddScreen,
  putScreen,
  removeScreen,
  screenAt,
} from './screens.ts';

const app = (name: string, x: number, y: number, w = 1, h = 1): Tile => ({
  id: name,
  kind: 'app',
  package: `com.shop.${name}`,
  label: '',
  x,
  y,
  w,
  h,
});
const layout = (more: object = {}) =>
  Layout.parse({
    columns: 4,
    rows: 6,
    width: 720,
    height: 1280,
    wallpaperId: 7,
    dock: [{ package: 'com.shop.dock' }],
    pages: [{ tiles: [app('c', 0, 3, 4, 2), app('b', 2, 0), app('a', 0, 0, 2, 1)] }, { tiles: [app('d', 3, 5)] }],
    ...more,
  });
const small = { width: 320, height: 240, columns: 3, rows: 2 };
const places = (pages: readonly { tiles: readonly Tile[] }[] = []) =>
  pages.map(({ tiles }) => tiles.map(({ id, x, y, w, h }) => `${id} ${x}:${y} ${w}×${h}`));

test('tiles are placed anew in reading order: what doesn’t fit goes on behind its page, and what is larger than the grid is made as large', () => {
  expect(places(reflow(layout().pages, { columns: 6, rows: 4 }))).toEqual([['a 0:0 2×1', 'b 2:0 1×1', 'c 0:1 4×2'], ['d 0:0 1×1']]);
  expect(places(reflow(layout().pages, small))).toEqual([['a 0:0 2×1', 'b 2:0 1×1'], ['c 0:0 3×2'], ['d 0:0 1×1']]);
});

test('nothing is lost: pages close up where there would be too many, and where there is no room at all that is said', () => {
  const pages = Array.from({ length: 10 }, (_, page) => ({
    tiles: Array.from({ length: 7 }, (_, nth) => app(`p${page}t${nth}`, nth % 4, Math.floor(nth / 4))),
  }));
  const closed = reflow(pages, { columns: 4, rows: 3 });
  expect(closed).toHaveLength(10);
  const tight = reflow(pages, { columns: 2, rows: 3 });
  expect(tight).toBeUndefined();
  const fitting = reflow(pages.slice(0, 8), { columns: 3, rows: 2 });
  expect(fitting).toHaveLength(10);
  expect(new Set(fitting?.flatMap(({ tiles }) => tiles.map((one) => one.id))).size).toBe(56);
  expect(addScreen(layout({ pages }), 0, { ...small, columns: 2 })).toEqual({ problem: 'desktop.screen.noRoom' });
});

test('a screen that is added has what stands on the one that was open, and keeps every rule', () => {
  const { layout: two = layout() } = addScreen(layout(), 0, small);
  expect(Layout.safeParse(two).success).toBe(true);
  expect(drawnScreens(two).map(sizeWords)).toEqual(['720 × 1280', '320 × 240']);
  expect(screenAt(two, 1)).toMatchObject({ ...small, wallpaperId: null, dock: [{ package: 'com.shop.dock' }] });
  const { layout: three = two } = addScreen(two, 1, { width: 1280, height: 800, columns: 6, rows: 4 });
  expect(places(screenAt(three, 2).pages)).toEqual([['a 0:0 2×1', 'b 2:0 1×1'], ['c 0:0 3×2'], ['d 0:0 1×1']]);
  expect(addScreen(three, 0, { ...small, columns: 5 })).toEqual({ problem: 'invalid.screenDoubled' });
});

test('one screen is changed without the others, and removed; without any it is what it was before', () => {
  const { layout: two = layout() } = addScreen(layout(), 0, small);
  const changed = putScreen(two, 1, { ...screenAt(two, 1), rows: 3 });
  expect([changed.rows, changed.sizes?.[0]?.rows]).toEqual([6, 3]);
  const main = putScreen(two, 0, { ...screenAt(two, 0), rows: 7 });
  expect([main.rows, main.sizes]).toEqual([7, two.sizes]);
  expect(removeScreen(two, 1)).toEqual(layout());
  expect(Object.keys(removeScreen(two, 1))).not.toContain('sizes');
  expect(removeScreen(two, 0)).toBe(two);
  expect(drawnScreens(changeScreens(two, (screen) => ({ ...screen, wallpaperId: 9 }))).map((one) => one.wallpaperId)).toEqual([9, 9]);
});

test('there is an end to them, and each of the common ones may stand beside the others', () => {
  const all = commonScreens.slice(1).reduce((made, { of: _of, ...figures }) => addScreen(made, 0, figures).layout ?? made, layout());
  expect(drawnScreens(all)).toHaveLength(5);
  expect(Layout.safeParse(all).success).toBe(true);
  expect([mayAddScreen(layout()), mayAddScreen(all)]).toEqual([true, false]);
});

test('a step back or forth is seen on the screen that it changes', () => {
  const one = layout();
  const { layout: two = one } = addScreen(one, 0, small);
  const second = putScreen(two, 1, { ...screenAt(two, 1), rows: 3 });
  expect([changedScreen(second, two), changedScreen(two, second), changedScreen(two, one), changedScreen(one, two)]).toEqual([1, 1, 0, 1]);
  expect(changedScreen(two, putScreen(two, 0, { ...screenAt(two, 0), rows: 7 }))).toBe(0);
});

test('another screen becomes the main one, and each keeps the wallpaper that is seen there', () => {
  const papers = (of: Layout) => [...screensOf(of)].map(({ width, wallpaperId }) => [width, wallpaperId]);
  const { layout: two = layout() } = addScreen(layout(), 0, small);
  const turned = makeMain(two, 1);
  expect(papers(turned)).toEqual([
    [320, 7],
    [720, 7],
  ]);
  // It was that of the main screen, and is so still.
  expect(turned.sizes?.[0]?.wallpaperId).toBeNull();
  expect(screensOf(turned).next().value).toMatchObject(small);
  const own = putScreen(two, 1, { ...screenAt(two, 1), wallpaperId: 9 });
  expect(papers(makeMain(own, 1))).toEqual([
    [320, 9],
    [720, 7],
  ]);
  expect(makeMain(makeMain(own, 1), 1)).toEqual(own);
  expect(Layout.safeParse(turned).success).toBe(true);
  expect([makeMain(two, 0), makeMain(two, 2)]).toEqual([two, two]);
});
