import { releaseTypes } from '@mooring/contract/engines/approval/steps';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { moduleKind } from '@mooring/contract/module/kind';
import { patchKind } from '@mooring/contract/patch/kind';

/**
 * Kinds that may be approved, by the specification's `taskType`; every other goes straight to ready. What travels along with another kind is agreed to
 * with that one alone: whatever is added here asks for all kinds whose releases carry it (`RolloutKind.along`), as a test holds.
 */
export const approvedKinds = [
  { type: releaseTypes.firmware, of: firmwareKind },
  { type: releaseTypes.module, of: moduleKind },
  { type: releaseTypes.patch, of: patchKind },
] as const;

export const typeOfKind = (kind: string) => approvedKinds.find(({ of }) => of.kind === kind)?.type;

export const typeIsOfReleases = (type: string): boolean => approvedKinds.some((one) => one.type === type);

export function kindOfType(type: string) {
  const found = approvedKinds.find((one) => one.type === type);
  if (!found) throw new Error(`nothing of type ${type} is approved`);
  return found;
}
