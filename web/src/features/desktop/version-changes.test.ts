import { Layout } from '@mooring/contract/desktop/layout';
import { expect, test } from 'vitest';
import { advertChanges, customizationChanges, desktopChanges } from './version-changes.ts';

/** Keys in place of words: which text, with what. */
const t = (key: string, params: Readonly<Record<string, string | number>> = {}) => [key, ...Object.values(params)].join(' ');
const changed = (changes: readonly { of: string; change: string }[]) => changes.map(({ of, change }) => `${of}: ${change}`);

const box = { w: 1, h: 1 };
const app = (id: string, name: string, x: number, more: object = {}) => ({
  id,
  kind: 'app',
  package: `com.a.${name}`,
  x,
  y: 0,
  ...box,
  ...more,
});
const clock = (id: string, x: number) => ({ id, kind: 'clock', x, y: 1, ...box });
const desktop = (pages: object[][], more: object = {}) => ({
  name: 'Till',
  productId: null,
  productName: null,
  layout: Layout.parse({ columns: 4, rows: 5, width: 720, height: 1280, pages: pages.map((tiles) => ({ tiles })), ...more }),
});
const ofDesktops = (before: object, after: object) => changed(desktopChanges(t, before as never, after as never));

test('of a home screen it is told which tiles came, went, moved, grew and show something else', () => {
  const before = desktop([[app('a', 'one', 0), app('b', 'two', 1), clock('c', 0)]]);
  expect(ofDesktops(before, before)).toEqual([]);
  const after = desktop([[app('a', 'one', 2, { w: 2 }), app('d', 'three', 1, { label: 'Three' })], [app('e', 'two', 1, { label: 'Two' })]]);
  expect(ofDesktops(before, after)).toEqual([
    'desktop.pages: content.change.value 1 2',
    'one: content.change.moved content.change.place 1 1 1 content.change.place 1 3 1',
    'one: content.change.resized 1 × 1 2 × 1',
    'Three: content.change.added',
    'Two: content.change.moved content.change.place 1 2 1 content.change.place 2 2 1',
    'Two: content.change.changed',
    'desktop.tile.clock: content.change.removed',
  ]);
});

test('… and what every page has in common; another kind of tile under the same ID is another tile', () => {
  const before = desktop([[clock('a', 0)]], { dock: [{ package: 'com.a.one' }, { package: 'com.a.two' }] });
  const after = desktop([[{ id: 'a', kind: 'text', text: 'Hello', x: 0, y: 1, ...box }]], {
    columns: 5,
    wallpaperId: 7,
    dock: [{ package: 'com.a.two' }, { package: 'com.a.one' }, { package: 'com.a.new' }],
  });
  expect(ofDesktops(before, after)).toEqual([
    'desktop.screen: content.change.value 4 × 5, 720 × 1280 5 × 5, 720 × 1280',
    'customization.wallpaperId: content.change.added',
    'Hello: content.change.added',
    'desktop.tile.clock: content.change.removed',
    'desktop.screen.dock: com.a.new: content.change.added',
    'desktop.screen.dock: content.change.order',
  ]);
});

test('… on which of its screens, and which screens came, went or stand in another order', () => {
  const small = { columns: 3, rows: 2, width: 320, height: 240 };
  const wide = { columns: 6, rows: 4, width: 1280, height: 800 };
  const on = (screen: object, ...tiles: object[]) => ({ ...screen, pages: [{ tiles }] });
  const before = desktop([[app('a', 'one', 0)]], { sizes: [on(small, app('a', 'one', 0)), on(wide, app('a', 'one', 0))] });
  expect(ofDesktops(before, before)).toEqual([]);
  const after = desktop([[app('a', 'one', 1)]], { sizes: [{ ...on(wide, app('a', 'one', 2)), wallpaperId: 7 }] });
  expect(ofDesktops(before, after)).toEqual([
    'desktop.on.screen 720 × 1280 one: content.change.moved content.change.place 1 1 1 content.change.place 1 2 1',
    'desktop.screen 320 × 240: content.change.removed',
    'desktop.on.screen 1280 × 800 customization.wallpaperId: content.change.added',
    'desktop.on.screen 1280 × 800 one: content.change.moved content.change.place 1 1 1 content.change.place 1 3 1',
  ]);
  const turned = desktop([[app('a', 'one', 0)]], { sizes: before.layout.sizes?.toReversed() });
  expect(ofDesktops(before, turned)).toEqual(['desktop.screens: content.change.order']);
  expect(ofDesktops(desktop([[app('a', 'one', 0)]]), before)).toEqual([
    'desktop.screen 320 × 240: content.change.added',
    'desktop.screen 1280 × 800: content.change.added',
  ]);
});

const item = (fileId: number, more: object = {}) => ({ fileId, name: `${fileId}.png`, media: 'picture', seconds: 10, weight: 1, ...more });
const advert = (items: object[], more: object = {}) => ({
  name: 'Summer',
  productId: null,
  productName: null,
  place: 'idle',
  fromDay: null,
  toDay: null,
  hours: null,
  items,
  ...more,
});
const ofAdverts = (before: object, after: object) => changed(advertChanges(t, before as never, after as never));

test('of an advert it is told what came and went, in which order, how long, how often and when', () => {
  const hours = { days: [1, 2], from: '08:00', to: '20:00', blackout: [] };
  expect(ofAdverts(advert([item(1), item(1), item(2)]), advert([item(1), item(1), item(2)]))).toEqual([]);
  expect(ofAdverts(advert([item(1), item(1), item(2)]), advert([item(2), item(1, { weight: 3, seconds: 5 }), item(3)], { hours }))).toEqual(
    [
      'advert.hours: content.change.value – 08:00 – 20:00, firmware.task.day.1, firmware.task.day.2',
      '1.png: content.change.removed',
      '3.png: content.change.added',
      'advert.items: content.change.order',
      '1.png: advert.item.seconds: content.change.value 10 5',
      '1.png: advert.item.weight: content.change.value 1 3',
    ],
  );
});

test('of the look of a system it is told what is set otherwise', () => {
  const before = {
    name: 'Dark',
    productId: null,
    productName: null,
    bootPictureId: 1,
    wallpaperId: null,
    statusBar: 'keep',
    navigationKeys: 'keep',
    brightness: null,
    volume: 20,
    screenSeconds: null,
    locale: null,
    timeZone: null,
  };
  const after = { ...before, bootPictureId: null, statusBar: 'hidden', brightness: 0, volume: null };
  expect(changed(customizationChanges(t, before as never, after as never))).toEqual([
    'customization.statusBar: content.change.value customization.statusBar.keep customization.statusBar.hidden',
    'customization.brightness: content.change.value – 0',
    'customization.volume: content.change.value 20 –',
    'customization.bootPictureId: content.change.removed',
  ]);
});

/** Every value of something, changed alone. */
function mutations(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => mutations(one).map((other) => value.toSpliced(at, 1, other)));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => mutations(one).map((other) => ({ ...value, [key]: other })));
  return [typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : 77];
}
/** IDs of tiles and names of files show nothing; whether it is a picture follows from the file. */
const silent = (key: string) => ['id', 'name', 'media', 'kind', 'productName'].includes(key);
const told = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(told)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (silent(key) ? [] : [[key, told(one)]])))
      : value;

const tiles = [
  app('a', 'one', 0, { label: 'One' }),
  { id: 'b', kind: 'folder', x: 1, y: 0, ...box, label: 'Both', apps: [{ package: 'com.a.two', label: 'Two' }] },
  { id: 'c', kind: 'picture', x: 2, y: 0, ...box, fileId: 3, label: 'Shop' },
  { id: 'd', kind: 'link', x: 3, y: 0, ...box, url: 'https://example.com', label: 'Web' },
  { id: 'e', kind: 'text', x: 0, y: 1, ...box, text: 'Hello', label: '' },
  { id: 'f', kind: 'advert', x: 1, y: 1, ...box, label: '' },
  clock('g', 2),
];
const other = {
  columns: 6,
  rows: 4,
  width: 1280,
  height: 800,
  wallpaperId: 8,
  pages: [{ tiles }],
  dock: [{ package: 'com.a.three', label: 'Three' }],
};
const hoursOfDay = { days: [1, 2], from: '08:00', to: '20:00', blackout: ['2026-12-25'] };
const whole = [
  ['home screen', desktop([tiles], { wallpaperId: 7, dock: [{ package: 'com.a.three', label: 'Three' }] }), desktopChanges],
  ['home screen of two screens', desktop([[clock('g', 2)]], { sizes: [other] }), desktopChanges],
  [
    'advert',
    advert([item(1, { weight: 2 }), item(2)], { productId: 4, fromDay: '2026-01-01', toDay: '2027-01-01', hours: hoursOfDay }),
    advertChanges,
  ],
  [
    'look of a system',
    {
      productId: 4,
      bootPictureId: 1,
      wallpaperId: 2,
      statusBar: 'keep',
      navigationKeys: 'keep',
      brightness: 1,
      volume: 20,
      screenSeconds: 30,
      locale: 'en',
      timeZone: 'UTC',
    },
    customizationChanges,
  ],
] as const;
test.each(whole)('whatever a terminal is told is told as a change too: %s', (_what, row, changesOf) => {
  const all = mutations(row).filter((other) => JSON.stringify(told(other)) !== JSON.stringify(told(row)));
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter((other) => changesOf(t, row as never, other as never).length === 0)).toEqual([]);
});

test('a tile that stands under the ID of another one is known by what it shows', () => {
  const text = (id: string, words: string, x: number) => ({ id, kind: 'text', text: words, x, y: 2, ...box });
  const before = desktop([[text('t1', 'Open', 0), text('t2', 'Closed', 1)]]);
  expect(ofDesktops(before, desktop([[text('t2', 'Open', 0), text('t1', 'New', 1)]]))).toEqual([
    'New: content.change.added',
    'Closed: content.change.removed',
  ]);
});

test('two products of one name are two', () => {
  const of = (productId: number) => ({ ...desktop([[]]), productId, productName: 'A920' });
  expect(ofDesktops(of(1), of(2))).toEqual(['content.product: content.change.value A920 A920']);
});
