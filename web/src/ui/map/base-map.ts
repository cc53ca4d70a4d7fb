import type { Feature as Land, MultiPolygon, Polygon } from 'geojson';
import Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import Graticule from 'ol/layer/Graticule.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { fonts, type Palette } from '../tokens.ts';
import { unwrapped } from './unwrap.ts';

let asked: Promise<Feature[]> | undefined;

const polygonsOf = ({ geometry }: Land): readonly Polygon['coordinates'][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];

/** The countries of the world by their ISO 3166 numbers, from our own build: no other server is asked. Once a tab. */
export function countries(): Promise<Feature[]> {
  asked ??= fetch(countriesUrl)
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`base map: ${answer.status}`);
      const world: Topology<{ countries: GeometryCollection }> = await answer.json();
      const reader = new GeoJSON({ featureProjection: 'EPSG:3857' });
      return feature(world, world.objects.countries).features.flatMap((land) => {
        const geometry: MultiPolygon = { type: 'MultiPolygon', coordinates: polygonsOf(land).flatMap(unwrapped) };
        const found = reader.readFeature({ type: 'Feature', ...(land.id === undefined ? {} : { id: land.id }), properties: {}, geometry });
        return found instanceof Feature ? [found] : [];
      });
    })
    .catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
  return asked;
}

const gridOf = (palette: Palette) => {
  const words = (textBaseline: CanvasTextBaseline, textAlign: CanvasTextAlign) =>
    new Text({
      font: `11px ${fonts.text}`,
      fill: new Fill({ color: palette.muted }),
      stroke: new Stroke({ color: palette.surface, width: 3 }),
      textBaseline,
      textAlign,
    });
  return new Graticule({
    strokeStyle: new Stroke({ color: `${palette.edge}55`, width: 0.6, lineDash: [3, 4] }),
    showLabels: true,
    wrapX: true,
    targetSize: 180,
    lonLabelStyle: words('bottom', 'center'),
    latLabelStyle: words('middle', 'start'),
    // From whole degrees down to what a street is: where the base map ends, the grid still says where one is.
    intervals: [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001],
    latLabelPosition: 0,
    lonLabelFormatter: (lon) => degrees(lon),
    latLabelFormatter: (lat) => degrees(lat),
  });
};
const degrees = (value: number) => `${Number(value.toFixed(3))}°`;

export function baseLayer(): {
  layer: VectorLayer;
  grid: (palette: Palette) => Graticule;
  paint: (palette: Palette) => void;
  loaded: Promise<void>;
} {
  const source = new VectorSource({ wrapX: true });
  const layer = new VectorLayer({ source, renderBuffer: 20 });
  const paint = (palette: Palette) =>
    layer.setStyle(new Style({ fill: new Fill({ color: palette.surface }), stroke: new Stroke({ color: palette.edge, width: 0.7 }) }));
  const loaded = countries().then((found) => source.addFeatures(found.map((one) => one.clone())));
  return { layer, grid: gridOf, paint, loaded };
}
