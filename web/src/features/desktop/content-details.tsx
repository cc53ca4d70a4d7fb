import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import { screensOf } from '@mooring/contract/desktop/layout';
import { sharesOf } from '@mooring/contract/desktop/playlist';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { advertMachine, customizationMachine, desktopMachine } from '@mooring/contract/desktop/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';
import { actsOf } from './content-actions.ts';
import { advertKind, customizationKind, desktopKind } from './content-kinds.ts';
import { ContentVersions } from './content-versions.tsx';
import { ShownPage } from './designer/screen.tsx';
import { gridWords, hoursWords } from './version-changes.ts';
import './desktop.css';

type Advert = OutputOf<typeof advertCalls.detail>;
type Customization = OutputOf<typeof customizationCalls.detail>;
type Desktop = OutputOf<typeof desktopCalls.detail>;

const tail = [
  { key: 'productName', title: 'content.product' },
  { key: 'number', title: 'content.number', cell: ({ number }: { number: number | null }) => number ?? t('content.number.draft') },
  { key: 'version', title: 'content.version', kind: 'code' },
  { key: 'size', title: 'content.size', kind: 'size' },
  { key: 'publishedAt', title: 'content.publishedAt', kind: 'moment' },
  { key: 'publishedBy', title: 'content.publishedBy' },
  { key: 'deptName', title: 'content.dept' },
  { key: 'createdBy', title: 'content.createdBy' },
  { key: 'createdAt', title: 'content.createdAt', kind: 'moment' },
  { key: 'remark', title: 'content.remark' },
] as const;

const AdvertVersions = ({ row }: { row: Advert }) => <ContentVersions kind={advertKind} row={row} />;
const CustomizationVersions = ({ row }: { row: Customization }) => <ContentVersions kind={customizationKind} row={row} />;
const DesktopVersions = ({ row }: { row: Desktop }) => <ContentVersions kind={desktopKind} row={row} />;

function Playlist({ row: { items } }: { row: Advert }) {
  const t = useT();
  const format = useFormat();
  const shares = sharesOf(items);
  return (
    <ol className="m-playlist">
      {items.map(({ fileId, media, name, seconds, weight = 1 }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may stand in it twice
        <li key={at} className="m-playlist-item">
          {media === 'video' ? <Icon name="play" className="m-picture m-playlist-video" /> : <StoredPicture id={fileId} />}
          <span className="m-grow m-cut">{name}</span>
          <span className="m-muted">{seconds} s</span>
          <span className="m-muted">
            {t('advert.item.weight')} {weight}
          </span>
          <span className="m-muted">{t('advert.item.share', { percent: format.percent(shares[at] ?? 0) })}</span>
        </li>
      ))}
    </ol>
  );
}
export const advertPage = detailPage({
  call: advertCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: advertMachine, of: (row) => row.state },
  facts: [
    { key: 'place', title: 'advert.place', kind: 'name', names: 'advert.place.' },
    { key: 'fromDay', title: 'advert.fromDay', kind: 'date' },
    { key: 'toDay', title: 'advert.toDay', kind: 'date' },
    { key: '_hours', title: 'advert.hours', cell: (row) => hoursWords(t, row) ?? '–' },
    ...tail,
  ],
  actions: actsOf<Advert>(
    advertKind,
    { publish: advertCalls.publish, withdraw: advertCalls.withdraw, copy: advertCalls.copy, delete: advertCalls.delete },
    storeAdvertSpaceKind,
  ),
  tabs: [
    { key: 'items', title: 'advert.items', Body: Playlist },
    { key: 'versions', title: 'content.versions', Body: AdvertVersions },
  ],
});

function Pictures({ row }: { row: Customization }) {
  const t = useT();
  const shown = (['bootPictureId', 'wallpaperId'] as const).flatMap((key) => (row[key] === null ? [] : [{ key, id: row[key] }]));
  return (
    <div className="m-content-pictures">
      {shown.map(({ key, id }) => (
        <figure key={key}>
          <StoredPicture id={id} className="m-content-picture" />
          <figcaption className="m-muted">{t(`customization.${key}`)}</figcaption>
        </figure>
      ))}
      {shown.length === 0 ? <p className="m-muted">{t('customization.statusBar.keep')}</p> : null}
    </div>
  );
}
export const customizationPage = detailPage({
  call: customizationCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: customizationMachine, of: (row) => row.state },
  facts: [
    { key: 'statusBar', title: 'customization.statusBar', kind: 'name', names: 'customization.statusBar.' },
    { key: 'navigationKeys', title: 'customization.navigationKeys', kind: 'name', names: 'customization.navigationKeys.' },
    { key: 'brightness', title: 'customization.brightness', kind: 'number', when: (row) => row.brightness !== null },
    { key: 'volume', title: 'customization.volume', kind: 'number', when: (row) => row.volume !== null },
    { key: 'screenSeconds', title: 'customization.screenSeconds', kind: 'number', when: (row) => row.screenSeconds !== null },
    { key: 'locale', title: 'customization.locale', when: (row) => row.locale !== null },
    { key: 'timeZone', title: 'customization.timeZone', when: (row) => row.timeZone !== null },
    ...tail,
  ],
  actions: actsOf<Customization>(
    customizationKind,
    {
      publish: customizationCalls.publish,
      withdraw: customizationCalls.withdraw,
      copy: customizationCalls.copy,
      delete: customizationCalls.delete,
    },
    systemCustomizationKind,
  ),
  tabs: [
    { key: 'pictures', title: 'customization.pictures', Body: Pictures },
    { key: 'versions', title: 'content.versions', Body: CustomizationVersions },
  ],
});

/** Each screen with its pages; a lone one needs no name. */
function Screens({ row: { layout } }: { row: Desktop }) {
  const t = useT();
  const format = useFormat();
  const screens = [...screensOf(layout)];
  const name = (nth: number, size: string) => (nth === 0 ? t('desktop.screen.main', { screen: size }) : format.straight(size));
  return (
    <div className="m-stack">
      {screens.map((screen, nth) => (
        <section key={sizeWords(screen)} className="m-stack-tight">
          {screens.length === 1 ? null : <h2>{name(nth, sizeWords(screen))}</h2>}
          <div className="m-content-pictures">
            {screen.pages.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
              <div key={at} className="m-content-screen">
                <ShownPage layout={screen} page={at} />
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
export const desktopPage = detailPage({
  call: desktopCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: desktopMachine, of: (row) => row.state },
  facts: [
    {
      key: '_grid',
      title: 'desktop.layout',
      cell: ({ layout }) => [...screensOf(layout)].map(gridWords).join('; '),
    },
    ...tail,
  ],
  actions: actsOf<Desktop>(
    desktopKind,
    { publish: desktopCalls.publish, withdraw: desktopCalls.withdraw, copy: desktopCalls.copy, delete: desktopCalls.delete },
    customizeDesktopKind,
  ),
  tabs: [
    { key: 'screens', title: 'desktop.pages', Body: Screens },
    { key: 'versions', title: 'content.versions', Body: DesktopVersions },
  ],
});
