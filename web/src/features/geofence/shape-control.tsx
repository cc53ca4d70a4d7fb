import { areaOf, type Corner } from '@mooring/contract/device/map/area';
import { geofenceCalls, RADIUS } from '@mooring/contract/geofence/geofence';
import { metresBetween } from '@mooring/contract/geofence/outline';
import { useEffect, useRef, useState } from 'react';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { useSettled } from '../../kit/settled.ts';
import { useMapExtent, useMapTerminals } from '../../kit/use-map-terminals.ts';
import { useTiles } from '../../kit/use-tiles.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { Field, Unlinked } from '../../ui/field.tsx';
import { MapFrame } from '../../ui/map/map.tsx';
import type { MapHandle, MapView } from '../../ui/map/map-canvas.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { boxAround, cornersFor, type FenceRow } from './corners.ts';

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
const turned = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;

/** As people write corners: a line for each. */
const linesOf = (area: string) => area.split(';').join('\n');
const areaIn = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.replaceAll(/\s/g, ''))
    .filter((line) => line !== '')
    .join(';');

/** Corners as text: what is half written stays as it is, and is refused at the field until it is whole. */
function CornerLines({ area, onChange, disabled }: { area: string; onChange: (area: string) => void; disabled: boolean }) {
  const t = useT();
  const [lines, setLines] = useState(linesOf(area));
  useEffect(() => setLines((now) => (areaIn(now) === area ? now : linesOf(area))), [area]);
  const write = (next: string) => {
    setLines(next);
    onChange(areaIn(next));
  };
  return (
    <Field label={t('geofence.corners')}>
      <TextArea mono rows={5} value={lines} onChange={write} disabled={disabled} />
    </Field>
  );
}

const fieldsOfPreview = ['deptId', 'shape', 'lat', 'lon', 'radius', 'area', 'audience', 'groupIds', 'deviceIds', 'margin'];
/** What would be now, as far as the form can be read. */
function Preview({ values }: { values: Values }) {
  const t = useT();
  const format = useFormat();
  const isChosen =
    values.audience === 'groups'
      ? ((values.groupIds as unknown[] | undefined) ?? []).length > 0
      : values.audience !== 'devices' || ((values.deviceIds as unknown[] | undefined) ?? []).length > 0;
  const isDrawn = values.shape === 'shop' ? typeof values.radius === 'number' : cornersFor(values as unknown as FenceRow) !== undefined;
  const read = geofenceCalls.preview.input.safeParse(Object.fromEntries(fieldsOfPreview.map((key) => [key, values[key]])));
  const { value: asked, isNow } = useSettled(isChosen && isDrawn && read.success ? read.data : undefined);
  const found = useCall(geofenceCalls.preview, asked as never, { enabled: asked !== undefined, keep: true });
  if (!found.data || asked === undefined || !isNow) return null;
  const { inside, outside, unknown, sns, isAll } = found.data;
  const counts = { inside: format.number(inside), outside: format.number(outside), unknown: format.number(unknown) };
  const more = outside > sns.length ? ' …' : '';
  return (
    <p aria-live="polite">
      {t(isAll ? 'geofence.preview' : 'geofence.previewFirst', counts)}{' '}
      {sns.length > 0 ? t('geofence.previewOutside', { sns: sns.join(', ') + more }) : ''}
    </p>
  );
}

/** Drawn on the map, dragged, or written as numbers. */
function DrawnShape({ value, onChange, values, set, disabled }: ControlPart<string | undefined>) {
  const t = useT();
  const map = useRef<MapHandle>(null);
  const [view, setView] = useState<MapView>();
  const ready = view !== undefined;
  const terminals = useMapTerminals(view);
  const extent = useMapExtent();
  const [asksToDraw, setDrawing] = useState(false);
  const shape = values.shape as FenceRow['shape'];
  const area = value ?? '';
  const corners = cornersFor({ ...(values as unknown as FenceRow), area });
  const isDrawing = !disabled && (asksToDraw || corners === undefined);
  const drawing = isDrawing && shape !== 'shop' ? shape : undefined;
  const drawn = (next: readonly Corner[]) => {
    setDrawing(false);
    if (shape === 'polygon') return onChange(areaOf(next));
    const [[lat, lon] = [0, 0], [edgeLat, edgeLon] = [0, 0]] = next;
    const metres = metresBetween({ lat, lon }, { lat: edgeLat, lon: edgeLon });
    set('lat', round(lat));
    set('lon', round(turned(lon)));
    set('radius', Math.round(Math.min(RADIUS.most, Math.max(RADIUS.least, metres))));
  };
  // Opens on what is there, or where terminals are, and follows what is written; a corner that is dragged moves nothing else.
  const inView = useRef<string>(undefined);
  const [written, setWritten] = useState('');
  const about = corners && (shape === 'circle' ? `${values.lat} ${values.lon} ${values.radius}` : `written ${written}`);
  useEffect(() => {
    const box = corners ? boxAround(corners) : extent;
    const what = corners ? about : 'terminals';
    if (!ready || !box || inView.current === what) return;
    inView.current = what;
    map.current?.fit(box, corners ? 15 : 12);
  }, [ready, corners, about, extent]);
  const write = (next: string) => {
    setWritten(next);
    onChange(next);
  };
  const tiles = useTiles();
  return (
    <Unlinked>
      <div className="m-stack-tight">
        <div className="m-row m-row-wrap">
          <p className="m-muted m-grow">
            {t(drawing ? `geofence.draw.${drawing}` : shape === 'polygon' ? 'geofence.drag' : 'geofence.redraw')}
          </p>
          {drawing || disabled ? null : (
            <Button small icon="edit" onClick={() => setDrawing(true)}>
              {t('geofence.draw.again')}
            </Button>
          )}
          {corners ? (
            <Button small onClick={() => map.current?.fit(boxAround(corners), 15)}>
              {t('geofence.show')}
            </Button>
          ) : null}
        </div>
        <div className="m-map-track">
          <MapFrame
            handle={map}
            marks={terminals}
            outline={corners}
            editable={shape === 'polygon' && !disabled}
            drawing={drawing}
            tiles={tiles}
            onView={setView}
            onDrawn={drawn}
            onEdited={(next) => onChange(areaOf(next))}
          />
        </div>
        {shape === 'polygon' ? <CornerLines area={area} onChange={write} disabled={disabled} /> : null}
      </div>
    </Unlinked>
  );
}

/** The shape of a fence, and what would be by it now. */
export function ShapeControl(part: ControlPart<string | undefined>) {
  const t = useT();
  const { shape } = part.values;
  const area = shape === 'polygon' ? (part.value ?? '') : '';
  return (
    <div className="m-stack-tight">
      {shape === 'shop' ? <p className="m-muted">{t('geofence.shopAbout')}</p> : <DrawnShape key={String(shape)} {...part} />}
      <Preview values={{ ...part.values, area }} />
    </div>
  );
}
