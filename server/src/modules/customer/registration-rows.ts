import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import { CUSTOMERS } from './platform-rows.ts';

export const registrationRows = statefulTable('customer_registration', iotRegistrationMachine);
/** The set of a platform's registrations, to be locked. */
export const registrationsOf = (customerId: number): string => `iotRegistrations:${customerId}`;
const REGISTRATIONS = '/aws';

export async function invalidateRegistrations(ctx: Pick<Ctx, 'invalidate'>, db: Db, path?: string): Promise<void> {
  await ctx.invalidate(db, REGISTRATIONS, path);
  await ctx.invalidate(db, CUSTOMERS, path);
}
