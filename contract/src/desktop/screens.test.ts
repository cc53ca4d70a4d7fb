import { expect, test } from 'vitest';
import { Layout, layoutFor, picturesOf, screensOf } from './layout.ts';
import { closestScreen, sizeWords } from './screen-fit.ts';

const sheet = (width: number, height: number, more: object = {}) => ({
  columns: 4,
  rows: 4,
  width,
  height,
  pages: [{ tiles: [] }],
  ...more,
});
const at = (x: number, more: object) => ({ id: `t${x}`, x, y: 0, w: 1, h: 1, ...more });
const app = (x: number, name: string) => at(x, { kind: 'app', package: `com.shop.${name}` });
const picture = (x: number, fileId: number) => at(x, { kind: 'picture', fileId });
const pages = (...tiles: object[]) => [{ tiles }];
const issues = (layout: object) => Layout.safeParse(layout).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

test('a layout from before has no sizes, and stays without', () => {
  const old = { ...sheet(720, 1280), wallpaperId: null, dock: [] };
  expect(Layout.parse(old)).toEqual(old);
  expect(Object.keys(Layout.parse(old))).not.toContain('sizes');
});

test.each([
  ['the same', [720, 1280], '720 × 1280'],
  ['the same, though another is larger', [320, 240], '320 × 240'],
  ['one of the same shape', [640, 480], '320 × 240'],
  ['the shape rather than the area', [1440, 2560], '720 × 1280'],
  ['the closest shape', [1920, 1080], '1280 × 800'],
  ['of two of one shape the one that is closer in area', [2400, 1500], '1280 × 800'],
  ['a square one', [500, 500], '320 × 240'],
  ['the main one where the screen makes no sense', [0, 480], '720 × 1280'],
])('a terminal shows what is drawn up for its screen: %s', (_name, [width = 0, height = 0], shown) => {
  const layout = Layout.parse({ ...sheet(720, 1280), sizes: [sheet(1280, 800), sheet(320, 240), sheet(640, 400)] });
  expect(sizeWords(layoutFor(layout, { width, height }))).toBe(shown);
});
test('… and the main one where its screen isn’t known, or there is no other', () => {
  expect(sizeWords(layoutFor(Layout.parse({ ...sheet(720, 1280), sizes: [sheet(320, 240)] }), undefined))).toBe('720 × 1280');
  expect(sizeWords(layoutFor(Layout.parse(sheet(720, 1280)), { width: 320, height: 240 }))).toBe('720 × 1280');
});
test('as far apart on either side is as far apart: the first of the two, whichever way they stand', () => {
  const [wide, tall] = [
    { width: 600, height: 300 },
    { width: 300, height: 600 },
  ];
  expect(closestScreen(wide, [tall], { width: 424, height: 424 })).toBe(wide);
  expect(closestScreen(tall, [wide], { width: 424, height: 424 })).toBe(tall);
});

test('each screen has the rules of its own: an app stands once on each, and a problem leads to its screen and page', () => {
  const main = sheet(720, 1280, { pages: pages(app(0, 'one'), app(1, 'two')) });
  expect(issues({ ...main, sizes: [sheet(320, 240, { pages: pages(app(0, 'one')), dock: [{ package: 'com.shop.two' }] })] })).toEqual([]);
  const wrong = sheet(320, 240, {
    pages: [...pages(app(0, 'one')), ...pages(app(3, 'one'), app(9, 'three'))],
    dock: [{ package: 'com.shop.three' }],
  });
  expect(issues({ ...main, sizes: [sheet(1280, 800), wrong] })).toEqual([
    'sizes.1.pages.1 invalid.appDoubled',
    'sizes.1.pages.1 invalid.tileOutside',
    'sizes.1.dock invalid.appDoubled',
  ]);
});
test.each([
  ['a size that the main one has', [sheet(720, 1280)], ['sizes.0.width invalid.screenDoubled']],
  ['a size twice', [sheet(320, 240), sheet(320, 240)], ['sizes.1.width invalid.screenDoubled']],
  ['one that is turned', [sheet(1280, 720)], []],
])('no two screens are of one size: %s', (_name, sizes, found) => {
  expect(issues({ ...sheet(720, 1280), sizes })).toEqual(found);
});
test('there are five screens at most, and nothing in one that isn’t known', () => {
  const sizes = [1, 2, 3, 4, 5].map((one) => sheet(200 * one, 200));
  expect(issues({ ...sheet(720, 1280), sizes: sizes.slice(1) })).toEqual([]);
  expect(issues({ ...sheet(720, 1280), sizes })).toHaveLength(1);
  expect(issues({ ...sheet(720, 1280), sizes: [{ ...sheet(320, 240), sizes: [] }] })).toHaveLength(1);
});

test('pictures are those of all screens; one without a wallpaper of its own has that of the main one', () => {
  const layout = Layout.parse({
    ...sheet(720, 1280, { wallpaperId: 1, pages: pages(picture(0, 2)) }),
    sizes: [sheet(320, 240, { pages: pages(picture(0, 3)) }), sheet(640, 480, { wallpaperId: 4 })],
  });
  expect([...screensOf(layout)].map((one) => one.wallpaperId)).toEqual([1, 1, 4]);
  expect([...new Set(picturesOf(layout))].toSorted()).toEqual([1, 2, 3, 4]);
  expect([...screensOf(layout)].some((one) => 'sizes' in one)).toBe(false);
});
