import type { advertCalls } from '@mooring/contract/desktop/advert';
import type { customizationCalls } from '@mooring/contract/desktop/customization';
import type { desktopCalls } from '@mooring/contract/desktop/desktop';
import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import type { OutputOf } from '@mooring/contract/kit/call';
import { daysWords } from '../../engines/rollout/window-days.ts';
import type { T, TextKey } from '../../ui/words.ts';
import { drawnScreens } from './designer/screens.ts';
import { nameOf } from './designer/tile-name.ts';

/** What one version changed against another, in words: of what, and what became of it. */
export interface Change {
  readonly of: string;
  readonly change: string;
}
type Advert = OutputOf<typeof advertCalls.detail>;
type Customization = OutputOf<typeof customizationCalls.detail>;
type Desktop = OutputOf<typeof desktopCalls.detail>;
type Made = Pick<Desktop, 'productId' | 'productName'>;
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
/** Two products may have one name. */
function product(t: T, before: Made, after: Made): Change[] {
  const change = t('content.change.value', { before: wordsOf(before.productName), after: wordsOf(after.productName) });
  return before.productId === after.productId ? [] : [{ of: t('content.product'), change }];
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
const tilesOf = ({ pages }: ScreenLayout): Stands[] => pages.flatMap(({ tiles }, page) => tiles.map((tile) => ({ tile, page })));
/** An app stands in one place alone; anything else is known by its ID, as long as it is of the same kind. */
const keyOf = ({ tile }: Stands) => (tile.kind === 'app' ? `app ${tile.package}` : `${tile.kind} ${tile.id}`);
const shows = ({ tile: { id: _id, x: _x, y: _y, w: _w, h: _h, ...shown } }: Stands) => JSON.stringify(shown);
/** What a tile was before: first the one that showed the same, since an ID may be another tile's meanwhile. */
function paired(was: readonly Stands[], is: readonly Stands[]): ReadonlyMap<Stands, Stands> {
  const found = new Map<Stands, Stands>();
  const left = new Set(was);
  const ways: ((then: Stands, now: Stands) => boolean)[] = [
    (then, now) => keyOf(then) === keyOf(now) && shows(then) === shows(now),
    (then, now) => shows(then) === shows(now),
    (then, now) => keyOf(then) === keyOf(now),
  ];
  for (const isIt of ways)
    for (const now of is) {
      const then = found.has(now) ? undefined : [...left].find((one) => isIt(one, now));
      if (!then) continue;
      found.set(now, then);
      left.delete(then);
    }
  return found;
}

function tileChanges(t: T, before: ScreenLayout, after: ScreenLayout): Change[] {
  const [was, is] = [tilesOf(before), tilesOf(after)];
  const name = ({ tile }: Stands) => (tile.kind === 'clock' ? tile.label : nameOf(tile)) || t(`desktop.tile.${tile.kind}`);
  const place = ({ page, tile: { x, y } }: Stands) => t('content.change.place', { page: page + 1, column: x + 1, row: y + 1 });
  const size = ({ tile: { w, h } }: Stands) => `${w} × ${h}`;
  const earlier = paired(was, is);
  const became = is.flatMap((now): Change[] => {
    const then = earlier.get(now);
    if (!then) return [{ of: name(now), change: t('content.change.added') }];
    return [
      place(then) === place(now) ? undefined : t('content.change.moved', { before: place(then), after: place(now) }),
      size(then) === size(now) ? undefined : t('content.change.resized', { before: size(then), after: size(now) }),
      shows(then) === shows(now) ? undefined : t('content.change.changed'),
    ].flatMap((change) => (change === undefined ? [] : [{ of: name(now), change }]));
  });
  const stayed = new Set(earlier.values());
  const gone = was.filter((then) => !stayed.has(then)).map((then) => ({ of: name(then), change: t('content.change.removed') }));
  return [...became, ...gone];
}
const dockOf = ({ dock }: ScreenLayout) => new Map(dock.map((app) => [app.package, app]));
const dockName = (t: T, app: ScreenLayout['dock'][number]) => `${t('desktop.screen.dock')}: ${app.package}`;
/** Which apps of the dock are called otherwise. */
function dockLabels(t: T, before: ScreenLayout, after: ScreenLayout): Change[] {
  const was = dockOf(before);
  return after.dock.flatMap((app) => {
    const then = was.get(app.package);
    return then ? values(t, [['desktop.tile.label', then.label, app.label]]).map((one) => ({ ...one, of: dockName(t, app) })) : [];
  });
}

/** What became of one screen. */
const screenChanges = (t: T, before: ScreenLayout, after: ScreenLayout): Change[] => [
  ...values(t, [
    ['desktop.screen', gridWords(before), gridWords(after)],
    ['desktop.pages', before.pages.length, after.pages.length],
  ]),
  ...picture(t, 'customization.wallpaperId', before.wallpaperId, after.wallpaperId),
  ...tileChanges(t, before, after),
  ...listed(t, 'desktop.screen.dock', dockOf(before), dockOf(after), (app) => dockName(t, app)),
  ...dockLabels(t, before, after),
];
export const gridWords = ({ columns, rows, width, height }: ScreenLayout) => `${columns} × ${rows}, ${sizeWords({ width, height })}`;

/** The main screen is compared with the main one, any other with the one of its size. */
function layoutChanges(t: T, before: Desktop['layout'], after: Desktop['layout']): Change[] {
  const [[main, ...others], [mainNow, ...othersNow]] = [drawnScreens(before), drawnScreens(after)];
  const on = (screen: ScreenLayout, changes: Change[]) =>
    others.length + othersNow.length === 0
      ? changes
      : changes.map(({ of, change }) => ({ of: t('desktop.on.screen', { screen: sizeWords(screen), what: of }), change }));
  const bySize = (screens: readonly ScreenLayout[]) => new Map(screens.map((one) => [sizeWords(one), one]));
  const [was, is] = [bySize(others), bySize(othersNow)];
  return [
    ...(main && mainNow ? on(mainNow, screenChanges(t, main, mainNow)) : []),
    ...listed(t, 'desktop.screens', was, is, (one) => `${t('desktop.screen')} ${sizeWords(one)}`),
    ...[...is].flatMap(([size, now]) => {
      const then = was.get(size);
      return then ? on(now, screenChanges(t, then, now)) : [];
    }),
  ];
}

export const desktopChanges = (t: T, before: Desktop, after: Desktop): Change[] => [
  ...values(t, [['desktop.name', before.name, after.name]]),
  ...product(t, before, after),
  ...layoutChanges(t, before.layout, after.layout),
];

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
      ['advert.item.weight', then.weight ?? 1, now.weight ?? 1],
    ]).map(({ of, change }) => ({ of: now.name, change: `${of}: ${change}` }));
  });
  return [...listed(t, 'advert.items', was, is, (item) => item.name), ...figures];
}
/** From when to when, on which days, and on which dates not. */
export function hoursWords(t: T, { hours }: Pick<Advert, 'hours'>): string | null {
  if (!hours) return null;
  const blackout = hours.blackout.length === 0 ? [] : [t('advert.hours.blackout', { days: hours.blackout.join(', ') })];
  return [`${hours.from} – ${hours.to}`, daysWords(t, hours.days), ...blackout].join(', ');
}

export const advertChanges = (t: T, before: Advert, after: Advert): Change[] => [
  ...values(t, [
    ['advert.name', before.name, after.name],
    ['advert.place', t(`advert.place.${before.place}`), t(`advert.place.${after.place}`)],
    ['advert.fromDay', before.fromDay, after.fromDay],
    ['advert.toDay', before.toDay, after.toDay],
    ['advert.hours', hoursWords(t, before), hoursWords(t, after)],
  ]),
  ...product(t, before, after),
  ...itemChanges(t, before, after),
];

const figures = ['brightness', 'volume', 'screenSeconds', 'locale', 'timeZone'] as const;
export const customizationChanges = (t: T, before: Customization, after: Customization): Change[] => [
  ...values(t, [
    ['customization.name', before.name, after.name],
    ...(['statusBar', 'navigationKeys'] as const).map(
      (key) => [`customization.${key}`, t(`customization.${key}.${before[key]}`), t(`customization.${key}.${after[key]}`)] as const,
    ),
    ...figures.map((key) => [`customization.${key}`, before[key], after[key]] as const),
  ]),
  ...product(t, before, after),
  ...picture(t, 'customization.bootPictureId', before.bootPictureId, after.bootPictureId),
  ...picture(t, 'customization.wallpaperId', before.wallpaperId, after.wallpaperId),
];
