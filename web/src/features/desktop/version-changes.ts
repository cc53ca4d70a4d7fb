import type { advertCalls } from '@mooring/contract/desktop/advert';
import type { customizationCalls } from '@mooring/contract/desktop/customization';
import type { desktopCalls } from '@mooring/contract/desktop/desktop';
import type { Layout, Tile } from '@mooring/contract/desktop/layout';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { T, TextKey } from '../../ui/words.ts';
import { nameOf } from './designer/tile-name.ts';

/** What one version changed against another, in words: of what, and what became of it. */
export interface Change {
  readonly of: string;
  readonly change: string;
}
type Advert = OutputOf<typeof advertCalls.detail>;
type Customization = OutputOf<typeof customizationCalls.detail>;
type Desktop = OutputOf<typeof desktopCalls.detail>;
type Value = string | number | null;

const NONE = '–';
const wordsOf = (value: Value) => (value === null || value === '' ? NONE : String(value));
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Fields whose words are told before and after. */
function values(t: T, all: readonly (readonly [of: TextKey, before: Value, after: Value])[]): Change[] {
  return all.flatMap(([of, before, after]) =>
    before === after ? [] : [{ of: t(of), change: t('content.change.value', { before: wordsOf(before), after: wordsOf(after) }) }],
  );
}
/** A picture has no words: it came, went, or is another one. */
function picture(t: T, of: TextKey, before: number | null, after: number | null): Change[] {
  if (before === after) return [];
  const became = before === null ? 'content.change.added' : after === null ? 'content.change.removed' : 'content.change.changed';
  return [{ of: t(of), change: t(became) }];
}
/** What came and went of things in their order, by their keys; and that the rest stands in another one. */
function listed<I>(t: T, of: TextKey, before: ReadonlyMap<string, I>, after: ReadonlyMap<string, I>, name: (one: I) => string): Change[] {
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, one]) => ({ of: name(one), change: t('content.change.removed') }));
  const come = [...after].filter(([key]) => !before.has(key)).map(([, one]) => ({ of: name(one), change: t('content.change.added') }));
  const stayed = [...before.keys()].filter((key) => after.has(key));
  const isMoved = !isSame(
    stayed,
    [...after.keys()].filter((key) => before.has(key)),
  );
  return [...gone, ...come, ...(isMoved ? [{ of: t(of), change: t('content.change.order') }] : [])];
}

interface Stands {
  readonly tile: Tile;
  readonly page: number;
}
/** An app stands in one place alone; anything else is known by its ID, as long as it is of the same kind. */
const tilesOf = ({ pages }: Layout): ReadonlyMap<string, Stands> =>
  new Map(
    pages.flatMap(({ tiles }, page) =>
      tiles.map((tile) => [tile.kind === 'app' ? `app ${tile.package}` : `${tile.kind} ${tile.id}`, { tile, page }]),
    ),
  );

function tileChanges(t: T, before: Layout, after: Layout): Change[] {
  const [was, is] = [tilesOf(before), tilesOf(after)];
  const name = ({ tile }: Stands) => (tile.kind === 'clock' ? tile.label : nameOf(tile)) || t(`desktop.tile.${tile.kind}`);
  const place = ({ page, tile: { x, y } }: Stands) => t('content.change.place', { page: page + 1, column: x + 1, row: y + 1 });
  const size = ({ tile: { w, h } }: Stands) => `${w} × ${h}`;
  const shows = ({ tile: { id: _id, x: _x, y: _y, w: _w, h: _h, ...shown } }: Stands) => shown;
  const became = [...is].flatMap(([key, now]): Change[] => {
    const then = was.get(key);
    if (!then) return [{ of: name(now), change: t('content.change.added') }];
    return [
      place(then) === place(now) ? undefined : t('content.change.moved', { before: place(then), after: place(now) }),
      size(then) === size(now) ? undefined : t('content.change.resized', { before: size(then), after: size(now) }),
      isSame(shows(then), shows(now)) ? undefined : t('content.change.changed'),
    ].flatMap((change) => (change === undefined ? [] : [{ of: name(now), change }]));
  });
  const gone = [...was].filter(([key]) => !is.has(key)).map(([, then]) => ({ of: name(then), change: t('content.change.removed') }));
  return [...became, ...gone];
}
const dockOf = ({ dock }: Layout) => new Map(dock.map((app) => [app.package, app]));

export const desktopChanges = (t: T, before: Desktop, after: Desktop): Change[] => [
  ...values(t, [
    ['desktop.name', before.name, after.name],
    ['content.product', before.productName, after.productName],
    ['desktop.screen', gridWords(before.layout), gridWords(after.layout)],
    ['desktop.pages', before.layout.pages.length, after.layout.pages.length],
  ]),
  ...picture(t, 'customization.wallpaperId', before.layout.wallpaperId, after.layout.wallpaperId),
  ...tileChanges(t, before.layout, after.layout),
  ...listed(t, 'desktop.screen.dock', dockOf(before.layout), dockOf(after.layout), (app) => `${t('desktop.screen.dock')}: ${app.package}`),
];
const gridWords = ({ columns, rows, width, height }: Layout) => `${columns} × ${rows}, ${width} × ${height}`;

type Item = Advert['items'][number];
/** The same file may stand in it twice. */
function itemsOf({ items }: Advert): ReadonlyMap<string, Item> {
  const seen = new Map<number, number>();
  return new Map(
    items.map((item) => {
      const nth = (seen.get(item.fileId) ?? 0) + 1;
      seen.set(item.fileId, nth);
      return [`${item.fileId} ${nth}`, item];
    }),
  );
}
function itemChanges(t: T, before: Advert, after: Advert): Change[] {
  const [was, is] = [itemsOf(before), itemsOf(after)];
  const figures = [...is].flatMap(([key, now]) => {
    const then = was.get(key);
    if (!then) return [];
    return values(t, [
      ['advert.item.seconds', then.seconds, now.seconds],
      ['advert.item.weight', then.weight, now.weight],
    ]).map(({ of, change }) => ({ of: now.name, change: `${of}: ${change}` }));
  });
  return [...listed(t, 'advert.items', was, is, (item) => item.name), ...figures];
}
const hoursWords = (t: T, { hours }: Advert) =>
  hours ? `${hours.from} – ${hours.to}, ${hours.days.map((day) => t(`firmware.task.day.${day as 1}`)).join(' ')}` : null;

export const advertChanges = (t: T, before: Advert, after: Advert): Change[] => [
  ...values(t, [
    ['advert.name', before.name, after.name],
    ['content.product', before.productName, after.productName],
    ['advert.place', t(`advert.place.${before.place}`), t(`advert.place.${after.place}`)],
    ['advert.fromDay', before.fromDay, after.fromDay],
    ['advert.toDay', before.toDay, after.toDay],
    ['advert.hours', hoursWords(t, before), hoursWords(t, after)],
  ]),
  ...itemChanges(t, before, after),
];

const figures = ['brightness', 'volume', 'screenSeconds', 'locale', 'timeZone'] as const;
export const customizationChanges = (t: T, before: Customization, after: Customization): Change[] => [
  ...values(t, [
    ['customization.name', before.name, after.name],
    ['content.product', before.productName, after.productName],
    ...(['statusBar', 'navigationKeys'] as const).map(
      (key) => [`customization.${key}`, t(`customization.${key}.${before[key]}`), t(`customization.${key}.${after[key]}`)] as const,
    ),
    ...figures.map((key) => [`customization.${key}`, before[key], after[key]] as const),
  ]),
  ...picture(t, 'customization.bootPictureId', before.bootPictureId, after.bootPictureId),
  ...picture(t, 'customization.wallpaperId', before.wallpaperId, after.wallpaperId),
];
