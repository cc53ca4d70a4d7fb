import type { Corner } from '@mooring/contract/device/map/area';
import Feature, { type FeatureLike } from 'ol/Feature.js';
import Polygon from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import { fromLonLat } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import { fonts, type Palette } from '../tokens.ts';

/** An outline with a name; one that needs a person stands out, and not by its colour alone. */
export interface MapArea {
  readonly key: string;
  readonly label: string;
  readonly corners: readonly Corner[];
  readonly look: 'plain' | 'alarm' | 'off' | 'heat';
  /** Of heat: from 1, the least, to 5. */
  readonly shade?: number;
  readonly picked?: boolean;
}
const EDGE = 85;
const at = ([lat, lon]: Corner) => fromLonLat([lon, Math.max(-EDGE, Math.min(EDGE, lat))]);

/** How far the colour covers what lies beneath, from the least shade to the most: told apart by lightness, not by hue. */
export const heatCover = ['2b', '55', '80', 'aa', 'd9'] as const;

/** Outlines with their names, below the marks. */
export function areaLayer() {
  const source = new VectorSource({ wrapX: true });
  const layer = new VectorLayer({ source, zIndex: 1, declutter: true });
  return {
    layer,
    set(areas: readonly MapArea[]) {
      source.clear(true);
      source.addFeatures(
        areas.map((area) => {
          const one = new Feature(new Polygon([[...area.corners, ...area.corners.slice(0, 1)].map(at)]));
          one.set('area', area, true);
          return one;
        }),
      );
    },
    keyOf: (feature: FeatureLike): string | undefined => (feature.get('area') as MapArea | undefined)?.key,
    paint(palette: Palette) {
      layer.setStyle((feature) => {
        const area: MapArea = feature.get('area');
        const colour =
          area.look === 'heat'
            ? palette.bad
            : area.look === 'alarm'
              ? palette.badEdge
              : area.look === 'off'
                ? palette.muted
                : palette.primary;
        return new Style({
          fill: new Fill({
            color: `${colour}${area.look === 'heat' ? heatCover[(area.shade ?? 1) - 1] : area.look === 'off' ? '0a' : '1f'}`,
          }),
          stroke: new Stroke({
            color: colour,
            width: area.picked ? 4 : area.look === 'heat' ? 1 : 2,
            ...(area.look === 'off' ? { lineDash: [6, 6] } : {}),
          }),
          text: new Text({
            text: area.look === 'alarm' ? `⚠ ${area.label}` : area.label,
            font: `600 12px ${fonts.text}`,
            fill: new Fill({ color: palette.text }),
            stroke: new Stroke({ color: palette.surface, width: 4 }),
            overflow: true,
          }),
        });
      });
    },
  };
}
