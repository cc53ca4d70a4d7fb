import type { Corner } from '@mooring/contract/device/map/area';
import Feature from 'ol/Feature.js';
import LineString from 'ol/geom/LineString.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import Point from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import ImageTile from 'ol/ImageTile.js';
import type Draw from 'ol/interaction/Draw.js';
import { defaults } from 'ol/interaction/defaults.js';
import type Modify from 'ol/interaction/Modify.js';
import type Graticule from 'ol/layer/Graticule.js';
import TileLayer from 'ol/layer/Tile.js';
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import { unByKey } from 'ol/Observable.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import XYZ from 'ol/source/XYZ.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import View from 'ol/View.js';
import { type Palette, palettes } from '../tokens.ts';
import { areaLayer, type MapArea } from './areas.ts';
import { baseLayer } from './base-map.ts';
import { drawerFor, modifierFor, WORLD } from './draw.ts';
import type { Drawing, MapBox, MapCanvasProps, MapView, Tiles } from './map-canvas.tsx';
import { drawMark, type MapMark, radiusOf } from './marks.ts';

const [LEAST_ZOOM, MOST_ZOOM] = [1, 19];
/** Marks that lie so near each other count as one place. */
const NEAR_PIXELS = 6;
const EDGE = 85;
const MOVE_MS = 200;

const at = ([lat, lon]: Corner) => fromLonLat([lon, Math.max(-EDGE, Math.min(EDGE, lat))]);
const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
/** Round the world as often as it takes. */
const turned = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;

function viewOf(map: OlMap): MapView | undefined {
  const size = map.getSize();
  const view = map.getView();
  const centre = view.getCenter();
  if (!size?.[0] || !size[1] || !centre) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = transformExtent(view.calculateExtent(size), 'EPSG:3857', 'EPSG:4326');
  const isAll = east - west >= 360;
  const [lon = 0, lat = 0] = toLonLat(centre);
  return {
    box: {
      south: round(Math.max(-90, south), 4),
      north: round(Math.min(90, north), 4),
      west: isAll ? -180 : round(turned(west), 4),
      east: isAll ? 180 : round(turned(east), 4),
    },
    zoom: round(view.getZoom() ?? 0, 1),
    lat: round(lat, 4),
    lon: round(turned(lon), 4),
  };
}

/** Over the countries: where a tile doesn't come, those are seen. The server is told from which console it is asked, and no more. */
const streetLayer = ({ url, maxZoom }: Tiles) =>
  new TileLayer({
    className: 'm-map-streets',
    source: new XYZ({
      url,
      maxZoom,
      tileLoadFunction: (tile, address) => {
        const picture = tile instanceof ImageTile ? tile.getImage() : undefined;
        if (!(picture instanceof HTMLImageElement)) return;
        picture.referrerPolicy = 'origin';
        picture.src = address;
      },
    }),
  });

export type MadeMap = ReturnType<typeof makeMap>;
type Told = Required<Pick<MapCanvasProps, 'onView' | 'onPick' | 'onDrawn' | 'onReady' | 'onEdited' | 'onArea'>>;

export function makeMap(element: HTMLElement, { start, calm = false }: Pick<MapCanvasProps, 'start' | 'calm'>, told: Told) {
  let palette: Palette = palettes.light;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const duration = still ? 0 : MOVE_MS;
  const marks = new VectorSource<Feature<Point>>({ wrapX: true });
  const shapes = new VectorSource({ wrapX: true });
  const base = baseLayer();
  const areas = areaLayer();
  const markLayer = new VectorLayer({ source: marks, renderBuffer: 60, zIndex: 3 });
  const shapeLayer = new VectorLayer({ source: shapes, zIndex: 2 });
  let grid: Graticule | undefined;
  let streets: TileLayer | undefined;
  const map = new OlMap({
    target: element,
    controls: [],
    interactions: defaults({
      pinchRotate: false,
      altShiftDragRotate: false,
      mouseWheelZoom: !calm,
      dragPan: !calm,
      pinchZoom: !calm,
      ...(still ? { zoomDuration: 0 } : {}),
    }),
    layers: [base.layer, areas.layer, shapeLayer, markLayer],
    view: new View({
      center: fromLonLat([start?.lon ?? 10, start?.lat ?? 25]),
      zoom: start?.zoom ?? 1.6,
      minZoom: LEAST_ZOOM,
      maxZoom: MOST_ZOOM,
      enableRotation: false,
      extent: [-Infinity, -20_037_508, Infinity, 20_037_508],
      smoothExtentConstraint: false,
    }),
  });
  const styleOf = (mark: MapMark) =>
    new Style({
      // The smaller ones lie on top, shops beneath.
      zIndex: mark.shop ? -Infinity : -mark.count,
      renderer: (pixel, { context, pixelRatio }) => {
        const [x = 0, y = 0] = pixel as number[];
        context.save();
        context.translate(x, y);
        context.scale(pixelRatio, pixelRatio);
        drawMark(context, mark, palette);
        context.restore();
      },
    });
  const paint = (next: Palette) => {
    palette = next;
    base.paint(next);
    if (grid) map.removeLayer(grid);
    grid = base.grid(next);
    grid.setZIndex(1);
    map.addLayer(grid);
    const dot = new CircleStyle({
      radius: 3,
      fill: new Fill({ color: next.surface }),
      stroke: new Stroke({ color: next.primary, width: 1.5 }),
    });
    shapeLayer.setStyle([
      new Style({ fill: new Fill({ color: `${next.primary}22` }), stroke: new Stroke({ color: next.primary, width: 2.5 }) }),
      // Each place of a way.
      new Style({
        image: dot,
        geometry: (one) => {
          const way = one.getGeometry();
          return way instanceof LineString ? new MultiPoint(way.getCoordinates()) : undefined;
        },
      }),
    ]);
    areas.paint(next);
    markLayer.changed();
  };
  let isStopped = false;
  const tell = () => {
    const view = isStopped ? undefined : viewOf(map);
    if (view) told.onView(view);
  };
  map.on('moveend', tell);
  const opened = new Promise<void>((done) => map.once('moveend', () => done()));
  // The library tells where it stands with its second picture; where everything is at hand there would be one alone.
  const again = map.on('postrender', ({ frameState }) => {
    if (!frameState) return;
    unByKey(again);
    map.render();
  });
  map.on('singleclick', ({ pixel }) => {
    if (drawer) return;
    const hit = marks
      .getFeatures()
      .flatMap((one) => {
        const centre = one.getGeometry()?.getCoordinates();
        const mark: MapMark = one.get('mark');
        const where = centre && map.getPixelFromCoordinate(nearestTurn(centre, map));
        if (!where) return [];
        const away = Math.hypot((where[0] ?? 0) - (pixel[0] ?? 0), (where[1] ?? 0) - (pixel[1] ?? 0));
        return away <= radiusOf(mark) + 2 ? [{ mark, where, away }] : [];
      })
      .sort((a, b) => a.away - b.away);
    const [first] = hit;
    if (!first) {
      const area = map.forEachFeatureAtPixel(pixel, areas.keyOf, { layerFilter: (layer) => layer === areas.layer, hitTolerance: 3 });
      if (area !== undefined) told.onArea(area);
      return told.onPick([]);
    }
    const near = hit.filter(
      ({ where }) => Math.hypot((where[0] ?? 0) - (first.where[0] ?? 0), (where[1] ?? 0) - (first.where[1] ?? 0)) <= NEAR_PIXELS,
    );
    told.onPick(near.map(({ mark }) => mark.key));
  });
  let drawer: Draw | undefined;
  let drawn: Drawing | undefined;
  let modifier: Modify | undefined;
  const endDrawing = () => {
    if (drawer) map.removeInteraction(drawer);
    drawer = undefined;
  };
  const undoCorner = () => {
    // The others are drawn by one drag.
    if (drawer && drawn === 'polygon') drawer.removeLastPoint();
  };
  element.addEventListener('keydown', (event) => {
    const isUndo = event.key === 'Backspace' || (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey));
    if (!drawer || !isUndo) return;
    event.preventDefault();
    undoCorner();
  });
  const watch = new ResizeObserver(() => map.updateSize());
  watch.observe(element);
  void Promise.all([base.loaded.catch(() => undefined), opened]).then(told.onReady);
  return {
    stop() {
      isStopped = true;
      watch.disconnect();
      map.setTarget(undefined);
      map.dispose();
    },
    paint,
    setTiles(tiles: Tiles | undefined) {
      if (streets) map.removeLayer(streets);
      streets = tiles && streetLayer(tiles);
      if (streets) map.addLayer(streets);
    },
    setMarks(next: readonly MapMark[]) {
      marks.clear(true);
      marks.addFeatures(
        next.map((mark) => {
          const one = new Feature(new Point(at([mark.lat, mark.lon])));
          one.set('mark', mark, true);
          one.setStyle(styleOf(mark));
          return one;
        }),
      );
    },
    setLine: (corners: readonly Corner[]) => void setShape('line', corners.length > 1 ? new LineString(corners.map(at)) : undefined),
    setAreas: (next: readonly MapArea[]) => areas.set(next),
    setOutline(corners: readonly Corner[], editable = false) {
      if (modifier) map.removeInteraction(modifier);
      modifier = undefined;
      const one = setShape('outline', corners.length > 2 ? new Polygon([[...corners, ...corners.slice(0, 1)].map(at)]) : undefined);
      if (!one || !editable) return;
      modifier = modifierFor(one, told.onEdited);
      map.addInteraction(modifier);
    },
    draw(drawing: Drawing | undefined) {
      endDrawing();
      if (!drawing) return;
      const made = drawerFor(drawing, (corners) => {
        // Its own end comes first: the last click would pick a mark.
        setTimeout(endDrawing, MOVE_MS + 100);
        told.onDrawn(corners);
      });
      drawer = made;
      drawn = drawing;
      map.addInteraction(made);
    },
    undoCorner,
    zoomBy(steps: number) {
      const view = map.getView();
      view.animate({ zoom: Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, (view.getZoom() ?? LEAST_ZOOM) + steps)), duration });
    },
    fit(box: MapBox, nearest = 12) {
      const [west, east] = box.west <= box.east ? [box.west, box.east] : [box.west, box.east + 360];
      map.getView().fit([...at([box.south, west]), ...at([box.north, east])], { padding: [48, 48, 48, 48], maxZoom: nearest, duration });
    },
  };
  function setShape(name: string, shape: LineString | Polygon | undefined): Feature | undefined {
    for (const one of shapes.getFeatures().filter((one) => one.get('name') === name)) shapes.removeFeature(one);
    if (!shape) return undefined;
    const one = new Feature<LineString | Polygon>(shape);
    one.set('name', name);
    shapes.addFeature(one);
    return one;
  }
}

/** The same place on that turn of the world which is in view. */
function nearestTurn(coordinate: readonly number[], map: OlMap): number[] {
  const centre = map.getView().getCenter()?.[0] ?? 0;
  const [x = 0, y = 0] = coordinate;
  return [x + Math.round((centre - x) / WORLD) * WORLD, y];
}
