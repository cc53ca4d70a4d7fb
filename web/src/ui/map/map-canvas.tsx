import type { Corner } from '@mooring/contract/device/map/area';
import { useEffect, useImperativeHandle, useRef } from 'react';
import { useScheme } from '../theme.tsx';
import { palettes } from '../tokens.ts';
import type { MapArea } from './areas.ts';
import { type MadeMap, makeMap } from './make-map.ts';
import type { MapMark } from './marks.ts';

export interface MapBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}
export interface MapView {
  readonly box: MapBox;
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}
export interface MapHandle {
  zoomBy(steps: number): void;
  /** The last corner of an outline that is being drawn is taken back. */
  undoCorner(): void;
  /** At most this near, where what is shown is a single place. */
  fit(box: MapBox, nearest?: number): void;
}
/** Pictures of streets that an outside server has, by `{z}`, `{x}` and `{y}`. */
export interface Tiles {
  readonly url: string;
  readonly attribution: string;
  readonly maxZoom: number;
}
/** A circle is told as its middle and a place on its edge. */
export type Drawing = 'rectangle' | 'polygon' | 'circle';

export interface MapCanvasProps {
  readonly label: string;
  readonly marks: readonly MapMark[];
  /** A way, from its first place to its last. */
  readonly line?: readonly Corner[] | undefined;
  readonly outline?: readonly Corner[] | undefined;
  /** The corners of the outline can be dragged, and sides be broken by a drag. */
  readonly editable?: boolean;
  /** Outlines with names. */
  readonly areas?: readonly MapArea[] | undefined;
  readonly drawing?: Drawing | undefined;
  readonly tiles?: Tiles | undefined;
  /** Where it opens; all of the world where nothing is said. */
  readonly start?: Pick<MapView, 'lat' | 'lon' | 'zoom'> | undefined;
  /** It stands on a page that scrolls: it moves by its buttons and keys, and leaves wheel and fingers to the page. */
  readonly calm?: boolean;
  readonly handle?: React.Ref<MapHandle>;
  readonly onView?: (view: MapView) => void;
  /** What was clicked: all that stands there. None: the map itself. */
  readonly onPick?: (keys: readonly string[]) => void;
  readonly onDrawn?: (corners: readonly Corner[]) => void;
  readonly onEdited?: (corners: readonly Corner[]) => void;
  /** One of the areas was clicked. */
  readonly onArea?: (key: string) => void;
  readonly onReady?: () => void;
}

/** The drawing alone; loaded late, since the library is larger than a page. */
export function MapCanvas(props: MapCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const made = useRef<MadeMap>(undefined);
  const now = useRef(props);
  now.current = props;
  const palette = palettes[useScheme()];
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const map = makeMap(element, now.current, {
      onView: (view) => now.current.onView?.(view),
      onPick: (keys) => now.current.onPick?.(keys),
      onDrawn: (corners) => now.current.onDrawn?.(corners),
      onEdited: (corners) => now.current.onEdited?.(corners),
      onArea: (key) => now.current.onArea?.(key),
      onReady: () => now.current.onReady?.(),
    });
    made.current = map;
    return map.stop;
  }, []);
  const { marks, line, outline, editable = false, areas, drawing, tiles, handle } = props;
  useEffect(() => made.current?.paint(palette), [palette]);
  useEffect(() => made.current?.setTiles(tiles), [tiles]);
  useEffect(() => made.current?.setMarks(marks), [marks]);
  useEffect(() => made.current?.setLine(line ?? []), [line]);
  useEffect(() => made.current?.setAreas(areas ?? []), [areas]);
  useEffect(() => made.current?.setOutline(outline ?? [], editable && drawing === undefined), [outline, editable, drawing]);
  useEffect(() => made.current?.draw(drawing), [drawing]);
  useImperativeHandle(
    handle,
    () => ({
      zoomBy: (steps) => made.current?.zoomBy(steps),
      undoCorner: () => made.current?.undoCorner(),
      fit: (box, nearest) => made.current?.fit(box, nearest),
    }),
    [],
  );
  return (
    // The drawing counts from the left in every language. It takes the focus: arrows move it, + and - zoom.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what it does it does by keys too
    <div ref={frame} dir="ltr" className="m-map-canvas" role="application" aria-label={props.label} tabIndex={0} />
  );
}
