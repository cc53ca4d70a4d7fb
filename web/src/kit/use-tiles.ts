import { mapCalls } from '@mooring/contract/device/map/map-calls';
import type { Tiles } from '../ui/map/map-canvas.tsx';
import { useCall } from './queries.ts';

/** Streets of an outside server, where the installation names one. */
export function useTiles(): Tiles | undefined {
  return useCall(mapCalls.tiles, {}).data ?? undefined;
}
