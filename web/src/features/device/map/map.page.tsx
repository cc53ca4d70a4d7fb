import { deviceCalls } from '@mooring/contract/device/calls';
import { areaOf, boxOfCell, type Corner, cornersOf } from '@mooring/contract/device/map/area';
import { type Box, type Cluster, failureFilters, mapCalls } from '@mooring/contract/device/map/map-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react';
import { bindPage } from '../../../kit/bind-page.ts';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { FilterBar } from '../../../kit/list/filter-bar.tsx';
import { keysIn, marksOf, type Seen } from '../../../kit/map-marks.ts';
import { PageHead } from '../../../kit/page-head.tsx';
import { useCall } from '../../../kit/queries.ts';
import type { Page } from '../../../kit/route.ts';
import { mayCall } from '../../../kit/session.ts';
import { StateTag } from '../../../kit/state-tag.tsx';
import { useTiles } from '../../../kit/use-tiles.ts';
import { chooseSearch, searchNow, useView } from '../../../kit/view.ts';
import { Button } from '../../../ui/button.tsx';
import { Stat } from '../../../ui/figures.tsx';
import { MapFrame } from '../../../ui/map/map.tsx';
import type { Drawing, MapHandle, MapView } from '../../../ui/map/map-canvas.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { Bone, Empty, Note } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type TextKey, useFormat, useT } from '../../../ui/words.ts';
import { deviceTable } from '../device-table.ts';
import { BelowMap } from './below-map.tsx';
import { FailureSide, FailureView, useFailures } from './failures.tsx';
import { Here } from './here.tsx';
import { Places } from './places.tsx';
import { keyOfShop, ShopsInView, useShopMarks, useShops } from './shops.tsx';
import { useMapAddress } from './use-map-address.ts';

const filters = (deviceTable.filters ?? []).filter(({ field }) => !['deleted', 'placed', 'failed'].includes(field));
const ofFailures = filters.filter(({ field }) => Object.hasOwn(failureFilters, field));
const WHOLE = { south: -85, west: -180, north: 85, east: 180 };

const nothing = new Set<string>();
const cornersOfBox = ({ south, west, north, east }: Box): readonly Corner[] => [
  [south, west],
  [north, west],
  [north, east],
  [south, east],
];

/** Asked for anew so often: a fleet on the move doesn't fetch the map with each of its words. */
const EVERY_SECONDS = 20;

/** What stands in view, asked for anew with each move; the answer before stays until the next is here. */
const useSeen = (address: ReturnType<typeof useMapAddress>, view: MapView | undefined) =>
  useCall(
    mapCalls.view,
    { criteria: address.chosen, box: view?.box ?? WHOLE, zoom: Math.max(0, view?.zoom ?? 1) },
    { keep: true, enabled: address.active, every: EVERY_SECONDS },
  );
const useFigures = (address: ReturnType<typeof useMapAddress>) =>
  useCall(mapCalls.figures, { criteria: address.chosen }, { keep: true, enabled: address.active, every: EVERY_SECONDS });
type Whole = OutputOf<typeof mapCalls.figures>;

interface FiguresProps {
  readonly seen: Seen | undefined;
  readonly whole: Whole | undefined;
  readonly onUnplaced: (() => void) | undefined;
}
function Figures({ seen, whole, onUnplaced }: FiguresProps) {
  const t = useT();
  const format = useFormat();
  const said = (of: Whole['placed'] | undefined) => (of ? format.total(of.total, of.capped) : '');
  return (
    <div className="m-map-figures">
      <Stat label={t('map.placed')} value={said(whole?.placed)} loading={!whole} />
      <Stat label={t('map.inView')} value={seen ? format.number(seen.shown) : ''} loading={!seen} />
      <Stat
        label={t('map.unplaced')}
        value={said(whole?.unplaced)}
        loading={!whole}
        note={
          whole && whole.unplaced.total > 0 && onUnplaced ? (
            <Button look="quiet" small of={t('map.withoutPosition')} onClick={onUnplaced}>
              {t('map.list')}
            </Button>
          ) : null
        }
      />
    </div>
  );
}

function Legend() {
  const t = useT();
  return (
    <section className="m-row m-row-wrap m-small" aria-label={t('map.states')}>
      {Object.values(deviceMachine.states).map(({ code }) => (
        <StateTag key={code} machine={deviceMachine} code={code} />
      ))}
    </section>
  );
}

function FleetMap() {
  const t = useT();
  const format = useFormat();
  const address = useMapAddress();
  const map = useRef<MapHandle>(null);
  const [view, setView] = useState<MapView>();
  const [ready, setReady] = useState(false);
  const [picked, setPicked] = useState<ReadonlySet<string>>(nothing);
  const [drawing, setDrawing] = useState<Exclude<Drawing, 'circle'>>();
  const asked = useSeen(address, view);
  const seen = asked.data;
  const counted = useFigures(address);
  const whole = counted.data;
  const mayList = mayCall(deviceCalls.page);
  const streets = useTiles();

  // Opens on all that there is, unless the address says where.
  const opened = useRef(address.start !== undefined);
  useEffect(() => {
    if (opened.current || !ready || !whole?.extent) return;
    opened.current = true;
    map.current?.fit(whole.extent);
  }, [ready, whole]);
  useEffect(() => {
    if (!drawing) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setDrawing(undefined);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [drawing]);

  const zoom = view?.zoom ?? 1;
  const failures = useFailures(address, view);
  const shops = useShops(address, view);
  const shopMarks = useShopMarks(shops, zoom, picked);
  const outline = useMemo(() => (address.area ? cornersOf(address.area) : undefined), [address.area]);
  const terminalMarks = useMemo(
    () => (seen ? marksOf(seen, { zoom, written: (n) => format.count(n, 'short'), picked }) : []),
    [seen, zoom, picked, format],
  );
  const { isOfFailures } = address;
  const marks = useMemo(() => (isOfFailures ? shopMarks : [...shopMarks, ...terminalMarks]), [shopMarks, terminalMarks, isOfFailures]);
  const around = (clusters: readonly Cluster[]) => {
    const boxes = clusters.flatMap(({ cell }) => boxOfCell(cell) ?? []);
    return {
      south: Math.min(...boxes.map((one) => one.south)),
      north: Math.max(...boxes.map((one) => one.north)),
      west: Math.min(...boxes.map((one) => one.west)),
      east: Math.max(...boxes.map((one) => one.east)),
    };
  };
  const into = (clusters: readonly Cluster[]) => {
    map.current?.fit(around(clusters), Math.min(19, zoom + 3));
  };
  const pick = (marks: readonly string[]) => {
    const keys = keysIn(marks);
    const clusters = seen?.clusters.filter((one) => keys.includes(one.cell)) ?? [];
    const [cluster] = clusters;
    setPicked(new Set(cluster ? keys.filter((key) => shops.shops.some((one) => keyOfShop(one) === key)) : keys));
    if (!cluster) return;
    // No nearer: what lies on each other is listed, all squares of it.
    if (zoom >= 18.5 && mayList)
      address.list(clusters.length === 1 ? { cell: cluster.cell } : { area: areaOf(cornersOfBox(around(clusters))) });
    else into(clusters);
  };
  const draw = (corners: readonly Corner[]) => {
    setDrawing(undefined);
    if (corners.length > 2) address.list({ area: areaOf(corners) });
  };
  const stand = (next: MapView) => {
    setReady(true);
    if (view && JSON.stringify(view) === JSON.stringify(next)) return;
    setView(next);
    if (view && opened.current) address.stand(next);
  };
  const isFiltered = Object.values(address.chosen).some((one) => one !== undefined);
  const drawView = () => {
    if (!view) return;
    const { south, west, north, east: end } = view.box;
    const east = end < west ? end + 360 : end;
    draw(cornersOfBox({ south, west, north, east }));
  };

  return (
    <>
      <div className="m-row m-row-wrap m-row-top">
        <div className="m-filters m-grow">
          <FilterBar list={{ ...address, spec: { call: deviceCalls.page, filters: isOfFailures ? ofFailures : filters } }} />
          <FailureView address={address} />
        </div>
        {drawing ? (
          <Button icon="close" onClick={() => setDrawing(undefined)}>
            {t('map.draw.cancel')}
          </Button>
        ) : mayList && !isOfFailures ? (
          <MenuButton
            align="end"
            items={[
              { key: 'rectangle', label: t('map.draw.rectangle'), onClick: () => setDrawing('rectangle') },
              { key: 'polygon', label: t('map.draw.polygon'), onClick: () => setDrawing('polygon') },
              { key: 'view', label: t('map.draw.view'), onClick: drawView },
            ]}
          >
            <Button icon="edit">{t('map.draw')}</Button>
          </MenuButton>
        ) : null}
      </div>
      <div className="m-map-page">
        <MapFrame
          marks={marks}
          tiles={streets}
          outline={outline}
          areas={failures.areas}
          onArea={mayList ? (cell) => address.list({ cell, failed: address.days }) : undefined}
          drawing={drawing}
          start={address.start}
          handle={map}
          whole={whole?.extent ?? undefined}
          onView={stand}
          onPick={pick}
          onDrawn={draw}
        >
          {drawing ? (
            <div className="m-map-note">
              <Note tone="info">{t(`map.drawing.${drawing}`)}</Note>
            </div>
          ) : null}
          {seen ? (
            <Here
              seen={seen}
              shops={shops.shops}
              picked={picked}
              onZoom={(box) => map.current?.fit(box, 18)}
              onClose={() => setPicked(nothing)}
            />
          ) : null}
        </MapFrame>
        <div className="m-map-side m-panel m-panel-body">
          <ShopsInView of={shops} address={address} />
          {isOfFailures ? (
            <FailureSide
              of={failures}
              address={address}
              onZoom={(box) => map.current?.fit(box, Math.min(19, zoom + 3))}
              mayList={mayList}
            />
          ) : (
            <>
              <Figures seen={seen} whole={whole} onUnplaced={mayList ? () => address.list({ placed: false }) : undefined} />
              <Legend />
              {seen?.capped ? <Note tone="info">{t(whole?.placed.capped ? 'map.capped' : 'map.coarse')}</Note> : null}
              {asked.error && !seen ? (
                <CallFailed part error={asked.error} onRetry={asked.retry} />
              ) : !seen ? (
                <Bone height={160} />
              ) : whole?.placed.total === 0 ? (
                <Empty icon="map" title={t(isFiltered ? 'map.noMatch' : 'map.empty')} text={isFiltered ? undefined : t('map.emptyText')}>
                  {isFiltered ? <Button onClick={address.clearFilters}>{t('kit.filter.clear')}</Button> : null}
                </Empty>
              ) : (
                <Places seen={seen} onZoom={(one) => into([one])} onList={(one) => address.list({ cell: one.cell })} />
              )}
            </>
          )}
        </div>
      </div>
      <BelowMap address={address} />
    </>
  );
}

/** What other domains have to show on a map, each as a tab. */
export interface MapTab {
  readonly key: string;
  readonly title: TextKey;
  readonly when: () => boolean;
  /** Buttons in the head of the page. */
  readonly Head?: ComponentType;
  readonly Body: ComponentType;
}

const own: MapTab = { key: 'terminals', title: 'geofence.map', when: () => true, Body: FleetMap };

function MapTabs({ more }: { more: readonly MapTab[] }) {
  const t = useT();
  const view = useView();
  const tabs = [own, ...more.filter((tab) => tab.when())];
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? own;
  const choose = (key: string) => {
    const next = searchNow(view);
    if (key === own.key) next.delete('tab');
    else next.set('tab', key);
    chooseSearch(view, next);
  };
  return (
    <div className="m-page">
      <PageHead title={t('map.title')}>{active.Head ? <active.Head /> : null}</PageHead>
      <Tabs
        untitled
        active={active.key}
        onChange={choose}
        items={tabs.map((tab) => ({
          key: tab.key,
          label: t(tab.title),
          children:
            tab.key === active.key ? (
              <div className="m-stack">
                <tab.Body />
              </div>
            ) : null,
        }))}
      />
    </div>
  );
}

export const mapPage = (more: readonly MapTab[]): Page => bindPage(MapTabs, { more });
