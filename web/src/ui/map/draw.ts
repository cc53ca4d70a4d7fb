import type { Corner } from '@mooring/contract/device/map/area';
import Collection from 'ol/Collection.js';
import type Feature from 'ol/Feature.js';
import Circle from 'ol/geom/Circle.js';
import Polygon from 'ol/geom/Polygon.js';
import Draw, { createBox } from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import { toLonLat } from 'ol/proj.js';
import type { Drawing } from './map-canvas.tsx';

/** Round the world, in the units of the map. */
export const WORLD = 2 * 20_037_508.342789244;
const MOST_CORNERS = 90;

/** Across the date line it goes on: `toLonLat` alone would bring it back. */
function cornerOf(coordinate: readonly number[]): Corner {
  const [, lat = 0] = toLonLat([...coordinate]);
  return [lat, ((coordinate[0] ?? 0) / WORLD) * 360];
}
const cornersIn = (shape: Polygon) => (shape.getCoordinates()[0] ?? []).slice(0, -1).map(cornerOf);

export function drawerFor(drawing: Drawing, done: (corners: readonly Corner[]) => void): Draw {
  const made =
    drawing === 'polygon'
      ? new Draw({ type: 'Polygon', maxPoints: MOST_CORNERS })
      : new Draw({ type: 'Circle', freehand: true, ...(drawing === 'rectangle' ? { geometryFunction: createBox() } : {}) });
  made.on('drawend', ({ feature }) => {
    const shape = feature.getGeometry();
    if (shape instanceof Polygon) done(cornersIn(shape));
    if (!(shape instanceof Circle)) return;
    const [x = 0, y = 0] = shape.getCenter();
    done([cornerOf([x, y]), cornerOf([x + shape.getRadius(), y])]);
  });
  return made;
}

/** Its corners are dragged; told when one is let go. */
export function modifierFor(feature: Feature, edited: (corners: readonly Corner[]) => void): Modify {
  const made = new Modify({ features: new Collection([feature]) });
  made.on('modifyend', () => {
    const shape = feature.getGeometry();
    if (shape instanceof Polygon) edited(cornersIn(shape));
  });
  return made;
}
