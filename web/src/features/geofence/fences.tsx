import { Geofence, geofenceCalls } from '@mooring/contract/geofence/geofence';
import { useEffect, useMemo, useRef, useState } from 'react';
import { tryOut } from '../../kit/alarm-tested.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall } from '../../kit/session.ts';
import { useMapExtent, useMapTerminals } from '../../kit/use-map-terminals.ts';
import { useTiles } from '../../kit/use-tiles.ts';
import { chooseSearch, searchNow, useView } from '../../kit/view.ts';
import type { MapArea } from '../../ui/map/areas.ts';
import { MapFrame } from '../../ui/map/map.tsx';
import type { MapHandle, MapView } from '../../ui/map/map-canvas.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { t } from '../../ui/words.ts';
import { boxAround, cornersFor, type FenceRow } from './corners.ts';
import { fenceForm, valuesOfCopy } from './fence-form.tsx';
import { fencePath } from './fence-path.ts';

const copied = createStore<FenceRow | undefined>(undefined);
/** So many are drawn at once. */
const MOST_DRAWN = 500;

const fences = listOf(Geofence, geofenceCalls, {
  code: 'geofence.list',
  columns: [
    { key: 'name', width: 150, pinned: 'left' },
    { key: 'inside', width: 90 },
    { key: 'outside', width: 100 },
    { key: 'openAlarms', width: 125 },
    { key: 'enabled', width: 90 },
    { key: 'shape', width: 110 },
    off('deptName'),
    off('radius'),
    off('audience'),
    off('alarmOn'),
    off('priority'),
    off('createdAt'),
  ],
  Add: fenceForm.Add,
  edit: fenceForm.edit,
  open: (row) => fencePath(row.id),
  rowActions: [
    {
      key: 'test',
      label: 'alertRule.test',
      icon: 'send',
      allowedAction: 'test',
      run: (row) => void tryOut(geofenceCalls.test, row),
    },
    { key: 'copy', label: 'geofence.copy', icon: 'copy', when: () => mayCall(geofenceCalls.add), run: (row) => copied.set(row) },
    rowAction(geofenceCalls.setEnabled, {
      key: 'enable',
      label: 'geofence.enable',
      icon: 'play',
      allowedAction: 'setEnabled',
      when: (row: FenceRow) => !row.enabled,
      input: (row: FenceRow) => ({ id: row.id, enabled: true }),
      successText: 'geofence.enabled',
    }),
    rowAction(geofenceCalls.setEnabled, {
      key: 'disable',
      label: 'geofence.disable',
      icon: 'pause',
      allowedAction: 'setEnabled',
      when: (row: FenceRow) => row.enabled,
      input: (row: FenceRow) => ({ id: row.id, enabled: false }),
      confirm: { text: 'geofence.disable.about' },
      successText: 'geofence.disabled',
    }),
  ],
  deleting: { text: 'geofence.delete.about' },
  emptyText: 'geofence.emptyText',
});

export function FenceHead() {
  return (
    <PageActions
      addressed
      actions={[{ key: 'add', label: 'geofence.add', icon: 'add', primary: true, call: geofenceCalls.add, Dialog: fenceForm.Add }]}
    />
  );
}

const areaOf = (row: FenceRow, picked: string | null): MapArea[] => {
  const corners = cornersFor(row);
  const look = row.openAlarms > 0 ? 'alarm' : row.enabled ? 'plain' : 'off';
  return corners ? [{ key: String(row.id), label: row.name, corners, look, picked: String(row.id) === picked }] : [];
};

/** All fences on the map, the chosen one in view. */
function FenceMap() {
  const view = useView();
  const picked = view.search.get('fence');
  const map = useRef<MapHandle>(null);
  const [seen, setSeen] = useState<MapView>();
  const ready = seen !== undefined;
  const terminals = useMapTerminals(seen);
  const extent = useMapExtent();
  const asked = useCall(geofenceCalls.page, { page: { size: MOST_DRAWN } }, { keep: true });
  const areas = useMemo(() => (asked.data?.content ?? []).flatMap((row) => areaOf(row, picked)), [asked.data, picked]);
  const whole = useMemo(() => (areas.length > 0 ? boxAround(areas.flatMap(({ corners }) => corners)) : undefined), [areas]);
  const start = asked.data && (whole ?? extent);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const wanted = areas.find(({ key }) => key === picked);
    const what = wanted ? wanted.key : 'all';
    const box = wanted ? boxAround(wanted.corners) : start;
    // Once for each that is chosen: what changes meanwhile moves nothing.
    if (!ready || !box || shown.current === what) return;
    shown.current = what;
    map.current?.fit(box, 15);
  }, [ready, areas, picked, start]);
  const choose = (key: string) => {
    const next = searchNow(view);
    next.set('fence', key);
    chooseSearch(view, next);
  };
  return <MapFrame handle={map} marks={terminals} areas={areas} tiles={useTiles()} whole={whole} onView={setSeen} onArea={choose} />;
}

function Copying() {
  const row = useStore(copied);
  if (!row) return null;
  return <fenceForm.Add given={valuesOfCopy(row, t('geofence.copyOf', { name: row.name }))} onClose={() => copied.set(undefined)} />;
}

export function Fences() {
  return (
    <div className="m-fences">
      <fenceForm.Edit />
      <Copying />
      <div className="m-fences-map">
        <FenceMap />
      </div>
      <ListView spec={fences} queryPrefix="f." />
    </div>
  );
}
