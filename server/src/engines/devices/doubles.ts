import type { DoubleKind } from '@mooring/contract/device/attention';
import { type RawBuilder, sql } from 'kysely';

/** Numbers of a terminal `d` as they are compared, each as its index has it; null where it says none. */
export const comparedNumbers: Readonly<Record<DoubleKind, RawBuilder<string | null>>> = {
  imei: sql`reported_number(d.imei)`,
  iccid: sql`reported_number(upper(d.iccid))`,
};

/**
 * Devices (as `d`) with a number that another one at or below a path reports too. One that is elsewhere doesn't count, also where no policy
 * hides it: that a number is anywhere else is nobody's to know.
 */
export const hasDouble = (kinds: readonly DoubleKind[], path: string): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from device_double x where x.device_id = d.id and x.kind = any(${kinds}::text[]) and exists (
      select from device_double y
      where y.kind = x.kind and y.value = x.value and y.device_id <> x.device_id and y.dept_path >= ${path} and y.dept_path < ${`${path}~`}
    ))`;
