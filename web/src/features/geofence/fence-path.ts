/** Its fence on the map. */
export const fencePath = (id: number): string => `/device/amap?tab=fences&fence=${id}`;
