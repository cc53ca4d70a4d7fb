import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { useCall } from '../../../kit/queries.ts';
import type { Tiles } from '../../../ui/map/map-canvas.tsx';

/** Streets of an outside server, where the installation names one. */
export function useTiles(): Tiles | undefined {
  return useCall(mapCalls.tiles, {}).data ?? undefined;
}
