import type Feature from 'ol/Feature.js';
import { fromLonLat } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import { countries } from './base-map.ts';

export type CountryOf = (lat: number, lon: number) => string | undefined;

/** So far off the drawn coast, in metres of the map, a place is still on land: the base map leaves out bays and islands. */
const OFF_COAST = 50_000;

/** Of a place the country, as its two letters (ISO 3166); undefined at sea. */
export async function loadCountries(): Promise<CountryOf> {
  const source = new VectorSource({ features: (await countries()).map(copied) });
  const near = (at: number[]): Feature | undefined => {
    const land = source.getClosestFeatureToCoordinate(at);
    const [x = Number.NaN, y = Number.NaN] = land?.getGeometry()?.getClosestPoint(at) ?? [];
    return Math.hypot(x - (at[0] ?? 0), y - (at[1] ?? 0)) <= OFF_COAST ? (land ?? undefined) : undefined;
  };
  return (lat, lon) => {
    const at = fromLonLat([lon, lat]);
    const number = (source.getFeaturesAtCoordinate(at)[0] ?? near(at))?.getId();
    return number === undefined ? undefined : new Intl.Locale(`und-${number}`).region;
  };
}

/** The map has the others; a copy has no number of its own. */
function copied(one: Feature): Feature {
  const copy = one.clone();
  copy.setId(one.getId());
  return copy;
}
