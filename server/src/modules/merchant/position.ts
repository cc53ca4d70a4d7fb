import { Fault } from '@mooring/contract/kit/fault';

/** Half a position is none. */
export function checkPosition({ lat, lon }: { lat: number | null; lon: number | null }): void {
  if ((lat === null) === (lon === null)) return;
  throw new Fault('BAD_INPUT', { fields: { [lat === null ? 'lat' : 'lon']: 'invalid.position' } });
}
