import { Fault } from '@mooring/contract/kit/fault';
import type { SignProfile } from '@mooring/contract/signing/limits';
import type { KeyRow } from './key.resource.ts';

export interface Use {
  readonly profile: SignProfile;
  /** Of an Android package; else nothing, which only a key for any package signs. */
  readonly packageName: string;
}
type Policy = Pick<KeyRow, 'state' | 'not_after' | 'profiles' | 'package_names' | 'most_uses' | 'uses' | 'hour_from' | 'hour_to'>;

const refused = (name: string, field: string) => new Fault(name, { fields: { [field]: `fault.${name}` } });

/** `com.acme.*` is all below it, and not itself. */
export const fitsPackage = (pattern: string, name: string): boolean =>
  pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) && name.length >= pattern.length : pattern === name;

/** Faults: KEY_NOT_ACTIVE, KEY_CERTIFICATE_OVER, KEY_PROFILE, KEY_PACKAGE, KEY_USED_UP. */
export function checkUse(key: Policy, { profile, packageName }: Use, now: Date): void {
  if (key.state !== 'active') throw refused('KEY_NOT_ACTIVE', 'keyId');
  if (key.not_after <= now) throw refused('KEY_CERTIFICATE_OVER', 'keyId');
  if (key.profiles.length > 0 && !key.profiles.includes(profile)) throw refused('KEY_PROFILE', 'profile');
  if (key.package_names.length > 0 && !key.package_names.some((one) => fitsPackage(one, packageName)))
    throw refused('KEY_PACKAGE', 'fileId');
  if (key.most_uses !== null && key.uses >= key.most_uses) throw refused('KEY_USED_UP', 'keyId');
}

/** From the first hour up to the second one, over midnight too. Fault: KEY_HOURS_NOW. */
export function checkHours({ hour_from: from, hour_to: to }: Policy, now: Date): void {
  if (from === null || to === null || from === to) return;
  const hour = now.getUTCHours();
  const isWithin = from < to ? hour >= from && hour < to : hour >= from || hour < to;
  if (!isWithin) throw new Fault('KEY_HOURS_NOW', { params: { from, to } });
}
