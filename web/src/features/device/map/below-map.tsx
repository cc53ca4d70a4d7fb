import type { deviceCalls } from '@mooring/contract/device/calls';
import { boxOfCell } from '@mooring/contract/device/map/area';
import { useMemo } from 'react';
import type { Criteria } from '../../../kit/list/list-url.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import type { ListSpec } from '../../../kit/list/types.ts';
import { written } from '../../../kit/map-marks.ts';
import { Button } from '../../../ui/button.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { deviceTable } from '../device-table.ts';
import type { useMapAddress } from './use-map-address.ts';

/** The list of terminals as it is everywhere, filtered by the map. */
const spec: ListSpec<typeof deviceCalls.page> = {
  ...deviceTable,
  code: 'device.ofMap',
  title: 'map.area',
  filters: [],
  actions: [],
  empty: { title: 'map.area.none', icon: 'map' },
};

/** What was chosen on the map: an area, a place, or all that stand nowhere. */
export function BelowMap({ address: { chosen, area, cell, failed, isUnplaced, list } }: { address: ReturnType<typeof useMapAddress> }) {
  const t = useT();
  const format = useFormat();
  const fixed = useMemo<Criteria>(
    () => ({ ...chosen, ...(area ? { area } : cell ? { cell, ...(failed ? { failed } : {}) } : { placed: false }) }),
    [chosen, area, cell, failed],
  );
  if (!area && !cell && !isUnplaced) return null;
  const box = cell ? boxOfCell(cell) : undefined;
  const at = box ? format.straight(written((box.south + box.north) / 2, (box.west + box.east) / 2)) : '';
  const title = area ? t('map.area') : cell ? t(failed ? 'map.failed.near' : 'map.near', { at }) : t('map.withoutPosition');
  return (
    <div className="m-stack">
      <div className="m-row m-row-wrap">
        <h2 className="m-grow">{title}</h2>
        <Button icon="close" onClick={() => list({})}>
          {t(area ? 'map.area.clear' : 'map.back')}
        </Button>
      </div>
      <ListView key={JSON.stringify(fixed)} spec={spec} fixed={fixed} queryPrefix="l." />
    </div>
  );
}
