import type { PlacedShop } from '@mooring/contract/device/map/map-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { keyOf, type Seen } from '../../../kit/map-marks.ts';
import { StateTag } from '../../../kit/state-tag.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { MapBox as Box } from '../../../ui/map/map-canvas.tsx';
import { useT } from '../../../ui/words.ts';
import { TerminalLine } from './places.tsx';
import { keyOfShop, ShopLines } from './shops.tsx';

/** What was clicked: at one point there may be several. */
export function Here({
  seen,
  shops,
  picked,
  onZoom,
  onClose,
}: {
  seen: Seen;
  shops: readonly PlacedShop[];
  picked: ReadonlySet<string>;
  onZoom: (box: Box) => void;
  onClose: () => void;
}) {
  const t = useT();
  const found = seen.terminals.filter((one) => picked.has(keyOf(one)));
  const places = shops.filter((one) => picked.has(keyOfShop(one)));
  if (found.length + places.length === 0) return null;
  const title = t(found.length === 0 ? 'map.shops.here' : 'map.here');
  const [lats, lons] = [found.map(({ lat }) => lat), found.map(({ lon }) => lon)];
  const box = { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lons), east: Math.max(...lons) };
  const isSpread = box.north - box.south + box.east - box.west > 1e-4;
  return (
    <section className="m-map-over m-stack-tight" aria-label={title}>
      <div className="m-row">
        <h2 className="m-grow">{title}</h2>
        {isSpread ? (
          <Button small onClick={() => onZoom(box)}>
            {t('map.zoomIn')}
          </Button>
        ) : null}
        <IconButton small icon="close" label={t('kit.close')} onClick={onClose} />
      </div>
      {places.length > 0 ? <ShopLines shops={places} /> : null}
      <ul className="m-plain-list">
        {found.map((one) => (
          <li key={one.id} className="m-row m-row-wrap">
            <span className="m-grow">
              <TerminalLine of={one} />
            </span>
            <StateTag machine={deviceMachine} code={one.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
