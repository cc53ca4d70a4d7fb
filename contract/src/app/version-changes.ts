import { dangerOf } from './dangerous-permissions.ts';

interface Said {
  readonly permissions: readonly string[];
  readonly features: readonly string[];
  readonly abis: readonly string[];
}
export interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly same: readonly string[];
}
/** What one list has more or less than the one before it. */
export const changeOf = (before: readonly string[], now: readonly string[]): Change => ({
  added: now.filter((one) => !before.includes(one)).toSorted(),
  removed: before.filter((one) => !now.includes(one)).toSorted(),
  same: now.filter((one) => before.includes(one)).toSorted(),
});

export interface PackageChanges {
  readonly dangerous: Change;
  readonly permissions: Change;
  readonly features: Change;
  readonly abis: Change;
}
const nothing: Said = { permissions: [], features: [], abis: [] };

/** What a version asks for beyond the one before it; dangerous permissions by themselves. Of a first version everything is new. */
export function packageChanges(before: Said = nothing, now: Said): PackageChanges {
  const of = (list: readonly string[], isDangerous: boolean) => list.filter((one) => (dangerOf(one) !== undefined) === isDangerous);
  return {
    dangerous: changeOf(of(before.permissions, true), of(now.permissions, true)),
    permissions: changeOf(of(before.permissions, false), of(now.permissions, false)),
    features: changeOf(before.features, now.features),
    abis: changeOf(before.abis, now.abis),
  };
}
