import type { Corner } from '@mooring/contract/device/map/area';
import { positionCalls, type TrackPoint } from '@mooring/contract/device/position/position-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { daysOf, momentsOf } from '@mooring/contract/shared/date-range';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { type Fact, Facts } from '../../../kit/detail/detail-page.tsx';
import { Link } from '../../../kit/link.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import type { ListSpec } from '../../../kit/list/types.ts';
import { useCall } from '../../../kit/queries.ts';
import { mayCall } from '../../../kit/session.ts';
import { toneOf } from '../../../kit/state-tag.tsx';
import { useTiles } from '../../../kit/use-tiles.ts';
import { DateRange } from '../../../ui/late-dates.tsx';
import { MapFrame } from '../../../ui/map/map.tsx';
import type { MapBox, MapHandle } from '../../../ui/map/map-canvas.tsx';
import { Bone, Empty, Note } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';

type Now = NonNullable<OutputOf<typeof positionCalls.detail>['now']>;
const DAY_MS = 86_400_000;

/** As far as the terminal says it: six digits are a hand’s width. */
const degrees = ({ lat, lon }: { lat: number; lon: number }) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

function Coordinates({ of }: { of: { lat: number; lon: number } }) {
  return <span className="m-mono">{useFormat().straight(degrees(of))}</span>;
}
function Accuracy({ metres }: { metres: number | null }) {
  const t = useT();
  const format = useFormat();
  return metres === null ? '–' : t('position.accuracy.metres', { metres: format.number(Math.round(metres)) });
}

const points: ListSpec<typeof positionCalls.track> = {
  code: 'device.track',
  title: 'position.track',
  call: positionCalls.track,
  columns: [
    { key: 'at', title: 'position.at', kind: 'moment', sort: true, width: 190 },
    { key: '_place', title: 'position.coordinates', cell: (row: TrackPoint) => <Coordinates of={row} />, width: 220 },
    { key: '_accuracy', title: 'position.accuracy', cell: (row: TrackPoint) => <Accuracy metres={row.accuracy} />, width: 110 },
    { key: 'source', title: 'position.source', kind: 'name', names: 'position.source.', width: 140 },
  ],
  export: positionCalls.exportTrack,
  empty: { title: 'position.track.none', text: 'position.track.noneText', icon: 'map' },
};

const around = (corners: readonly Corner[]): MapBox => {
  const [lats, lons] = [corners.map(([lat]) => lat), corners.map(([, lon]) => lon)];
  return { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lons), east: Math.max(...lons) };
};

function PositionFacts({ now }: { now: Now }) {
  const facts: Fact<Now>[] = [
    { key: '_place', title: 'position.coordinates', cell: (one) => <Coordinates of={one} /> },
    { key: 'source', title: 'position.source', kind: 'name', names: 'position.source.' },
    {
      key: 'accuracy',
      title: 'position.accuracy',
      cell: (one) => <Accuracy metres={one.accuracy} />,
      when: (one) => one.accuracy !== null,
    },
    { key: 'at', title: 'position.at', kind: 'moment', when: (one) => one.at !== null },
  ];
  return <Facts row={now} facts={facts.filter((one) => one.when?.(now) ?? true)} />;
}

/** Where it is now, and the way that it took. */
function Standing({ row, now }: { row: DeviceDetail; now: Now }) {
  const t = useT();
  const { timeZone } = useFormat();
  const [range, setRange] = useState(() => daysOf({ greaterThanOrEqual: new Date(Date.now() - DAY_MS).toISOString() }, timeZone));
  const moments = useMemo(() => momentsOf(range, timeZone), [range, timeZone]);
  const [later] = useState(() => new Date(Date.now() + 366 * DAY_MS).toISOString());
  const span = { from: moments.greaterThanOrEqual ?? '2000-01-01T00:00:00.000Z', to: moments.lessThanOrEqual ?? later };
  const way = useCall(positionCalls.way, { id: row.id, ...span }, { keep: true, every: 60 });
  const line = useMemo(() => (way.data?.points ?? []).map((one): Corner => [one.lat, one.lon]), [way.data]);
  const map = useRef<MapHandle>(null);
  const streets = useTiles();
  const [ready, setReady] = useState(false);
  const box = useMemo(() => around([...line, [now.lat, now.lon]]), [line, now.lat, now.lon]);
  // A way is seen as a whole, each time that another one is asked for.
  const isDrawn = ready && way.data !== undefined && !way.outdated;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is added to the way meanwhile moves nothing
  useEffect(() => {
    if (isDrawn && line.length > 1) map.current?.fit(box, 16);
  }, [isDrawn, range]);
  const marks = useMemo(
    () => [
      {
        key: 'now',
        lat: now.lat,
        lon: now.lon,
        count: 1,
        label: '',
        parts: [{ tone: toneOf(deviceMachine, row.status), n: 1 }],
      },
    ],
    [now.lat, now.lon, row.status],
  );
  const fixed = useMemo(() => ({ deviceId: row.id, ...(Object.keys(moments).length > 0 ? { at: moments } : {}) }), [row.id, moments]);
  const { drawn, total } = { drawn: line.length, total: way.data?.total ?? 0 };
  return (
    <>
      {now.placeName === null ? null : <Note tone="info">{t('position.assumed', { name: now.placeName })}</Note>}
      <PositionFacts now={now} />
      <div className="m-row m-row-wrap">
        <h2 className="m-grow">{t('position.track')}</h2>
        <DateRange label={t('position.day')} value={range} onChange={setRange} />
      </div>
      <div className="m-map-track">
        <MapFrame
          handle={map}
          onView={() => setReady(true)}
          marks={marks}
          tiles={streets}
          line={line}
          start={{ lat: now.lat, lon: now.lon, zoom: 11 }}
          whole={box}
        />
      </div>
      {drawn < total ? <p className="m-small m-muted">{t('position.track.drawn', { drawn, total })}</p> : null}
      <ListView spec={points} fixed={fixed} queryPrefix="p." />
    </>
  );
}

export function DevicePosition({ row }: { row: DeviceDetail }) {
  const t = useT();
  const asked = useCall(positionCalls.detail, { id: row.id }, { every: 30 });
  if (asked.error && !asked.data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data) return <Bone height={320} />;
  const { now, nowhere } = asked.data;
  if (!now)
    return (
      <Empty icon="map" title={t('position.none')} text={nowhere ? t(`position.none.${nowhere}`) : undefined}>
        {nowhere !== 'neverSeen' && mayCall(merchantCalls.ofDevice) ? (
          <Link to={`/merchant/detail/${row.id}`}>{t('position.assign')}</Link>
        ) : null}
      </Empty>
    );
  return (
    <div className="m-stack">
      <Standing row={row} now={now} />
    </div>
  );
}
