import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom } from '@mooring/contract/kit/state-machine';

/** Events that a person, not contact, brings about. */
export const personEvents = ['disable', 'enable', 'stockIn', 'issue'] as const;
export type PersonEvent = (typeof personEvents)[number];

/** Specification: deleted may be what is inactive, disabled or in stock. */
export const deletable: readonly string[] = ['1', '4', '5'];

/** What may be done with the device next. */
export function deviceActions(held: ReadonlySet<string>, row: { readonly status: string; readonly deleted_at: Date | null }): string[] {
  if (row.deleted_at) return isAllowed(held, deviceCalls.delete.can) ? ['restore'] : [];
  const open: readonly string[] = eventsFrom(deviceMachine, row.status);
  return [
    ...(isAllowed(held, deviceCalls.update.can) ? ['update', 'setConfig', ...personEvents.filter((event) => open.includes(event))] : []),
    ...(isAllowed(held, deviceCalls.swap.can) && row.status !== '5' ? ['swap'] : []),
    ...(isAllowed(held, deviceCalls.move.can) ? ['move'] : []),
    ...(isAllowed(held, deviceCalls.delete.can) && deletable.includes(row.status) ? ['delete'] : []),
    ...(isAllowed(held, deviceCalls.command.can) && row.status !== '4' ? ['command'] : []),
    ...(isAllowed(held, deviceCalls.revoke.can) ? ['revoke'] : []),
  ];
}
