import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useMapFigures, useMapTerminals } from '../../../kit/use-map-terminals.ts';
import { useTiles } from '../../../kit/use-tiles.ts';
import { go } from '../../../kit/view.ts';
import { MapFrame } from '../../../ui/map/map.tsx';
import type { MapHandle, MapView } from '../../../ui/map/map-canvas.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import type { Asked } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

const MAP = '/device/amap';
const NEARER = 3;

/** Where the terminals stand that the cards are about; a click goes there on the map itself. */
export function MapCard({ asked }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const { deptId, productId } = asked.where;
  // As the other cards count: all below it too.
  const where = useMemo(
    () => ({ ...(deptId === undefined ? {} : { below: deptId }), ...(productId === undefined ? {} : { productId }) }),
    [deptId, productId],
  );
  const figures = useMapFigures(where);
  const search = new URLSearchParams(Object.entries(where).map(([name, value]) => [name, String(value)]));
  const placed = figures.data?.placed;
  const link = (
    <Link to={`${MAP}${search.size > 0 ? `?${search}` : ''}`}>
      {placed && placed.total > 0
        ? t('map.card.all', { count: format.total(placed.total, placed.capped), n: placed.total })
        : t('map.title')}
    </Link>
  );
  return (
    <Card title={t('map.title')} note={link}>
      <Answered of={figures} height={320}>
        {({ extent }) =>
          extent ? (
            <Where where={where} extent={extent} outdated={figures.outdated} search={search} />
          ) : (
            <Empty icon="map" title={t('map.empty')} text={t('map.emptyText')}>
              <Offer call={merchantCalls.page} to="/merchant">
                {t('home.merchants.open')}
              </Offer>
            </Empty>
          )
        }
      </Answered>
    </Card>
  );
}

interface WhereProps {
  readonly where: { readonly below?: number; readonly productId?: number };
  readonly extent: MapView['box'];
  /** It is what was asked for before. */
  readonly outdated: boolean;
  readonly search: URLSearchParams;
}
function Where({ where, extent, outdated, search }: WhereProps) {
  const map = useRef<MapHandle>(null);
  const [view, setView] = useState<MapView>();
  const marks = useMapTerminals(view, where);
  const tiles = useTiles();
  const ready = view !== undefined;
  const about = JSON.stringify(where);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!ready || outdated || shown.current === about) return;
    shown.current = about;
    map.current?.fit(extent);
  }, [ready, outdated, about, extent]);
  const at = useMemo(() => new Map(marks.map((mark) => [mark.key, mark])), [marks]);
  const enter = ([key]: readonly string[]) => {
    const mark = key === undefined ? undefined : at.get(key);
    if (!mark || !view) return;
    const next = new URLSearchParams(search);
    next.set('at', `${mark.lat.toFixed(4)},${mark.lon.toFixed(4)},${Math.min(18, view.zoom + NEARER)}`);
    go(`${MAP}?${next}`);
  };
  return (
    <div className="m-home-map">
      <MapFrame calm handle={map} marks={marks} tiles={tiles} whole={extent} onView={setView} onPick={enter} />
    </div>
  );
}
