import type { Refusal } from '@mooring/contract/engines/rollout/schemas';
import { type RawBuilder, sql } from 'kysely';
import { firstWhy } from '../../platform/db/first-why.ts';

export type Withheld = Extract<Refusal, 'appBlocked' | 'appOver' | 'appPinned'>;

/**
 * Which devices `d` get nothing of a version on a day, whoever above them releases it: its owner has barred their organisation, or one above that, or the
 * term is over and nobody above them is subscribed, or every subscription above them keeps to another version. Those of the app's owner, and of whoever is above or below it, need no subscription.
 */
export function withheldFrom(version: number, day: string): readonly (readonly [Withheld, RawBuilder<boolean>])[] {
  const places = (standing: string) => sql`select place from app_standings(${version}, ${day}::date) where standing = ${standing}`;
  const isAnywhere = (standing: string) => sql`exists (${places(standing)})`;
  const isBelow = (standing: string) =>
    sql`exists (select from unnest(path_and_above(d.dept_path)) a(path) where a.path in (${places(standing)}))`;
  const isAside = sql`not exists (select from app_version v where v.id = ${version}
    and (starts_with(d.dept_path, v.dept_path) or starts_with(v.dept_path, d.dept_path)))`;
  // Nothing is asked of each device where nobody is barred.
  return [
    ['appBlocked', sql<boolean>`(${isAnywhere('blocked')} and ${isBelow('blocked')} and ${isAside})`],
    ['appPinned', sql<boolean>`(${isAnywhere('pinned')} and ${isBelow('pinned')} and not ${isBelow('held')} and ${isAside})`],
    ['appOver', sql<boolean>`(${isAnywhere('over')} and ${isBelow('over')} and not ${isBelow('held')} and ${isAside})`],
  ];
}

/** Of a device `d` by which of them; null where it gets it. */
export const whyWithheld = (version: number, day: string): RawBuilder<Withheld | null> => firstWhy(withheldFrom(version, day));
