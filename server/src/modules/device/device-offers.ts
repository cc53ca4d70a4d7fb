import { deviceLife } from '@mooring/contract/device/lives';
import { eventsFrom } from '@mooring/contract/kit/life';

/** Events that a person, not contact, brings about. */
export const personEvents = ['disable', 'enable', 'stockIn', 'issue'] as const;
export type PersonEvent = (typeof personEvents)[number];

/** Specification: deleted may be what is inactive, disabled or in stock. */
export const deletable: readonly string[] = ['1', '4', '5'];

/** What may be done with the device next. */
export function deviceOffers(held: ReadonlySet<string>, row: { readonly status: string; readonly deleted_at: Date | null }): string[] {
  if (row.deleted_at) return held.has('device:device:delete') ? ['restore'] : [];
  const open: readonly string[] = eventsFrom(deviceLife, row.status);
  return [
    ...(held.has('device:device:update') ? ['update', 'setConfig', ...personEvents.filter((event) => open.includes(event))] : []),
    ...(held.has('device:device:move') ? ['move'] : []),
    ...(held.has('device:device:delete') && deletable.includes(row.status) ? ['delete'] : []),
    ...(held.has('device:command:send') && row.status !== '4' ? ['command'] : []),
    ...(held.has('device:credential:revoke') ? ['revoke'] : []),
  ];
}
