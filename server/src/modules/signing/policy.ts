import { Fault } from '@mooring/contract/kit/fault';
import type { SignProfile } from '@mooring/contract/signing/limits';
import type { KeyRow } from './key.resource.ts';
import type { ProfileRow } from './profile-rows.ts';

export interface Use {
  readonly profile: SignProfile;
  /** Of an Android package; else nothing, which only a key for any package signs. */
  readonly packageName: string;
  /** Those of its profile when it was asked for. */
  readonly productIds?: readonly (number | string)[];
}
type Policy = Pick<KeyRow, 'state' | 'not_after' | 'profiles' | 'package_names' | 'most_uses' | 'uses' | 'hour_from' | 'hour_to'>;

const refused = (name: string, field: string) => new Fault(name, { fields: { [field]: `fault.${name}` } });

/** `com.acme.*` is all below it, and not itself. */
export const fitsPackage = (pattern: string, name: string): boolean =>
  pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) && name.length >= pattern.length : pattern === name;

/** Fault: KEY_NOT_ACTIVE, which says at its field what it is instead. */
export function checkActive({ state }: Pick<KeyRow, 'state'>): void {
  if (state !== 'active') throw new Fault('KEY_NOT_ACTIVE', { fields: { keyId: `signingKey.not.${state}` } });
}

/** Android asks nothing about when the certificate of a package ends, and updates an app under that very certificate alone. */
const isOfAndroid = ({ profile, packageName }: Use): boolean => profile === 'apk' && packageName !== '';

/** Faults: KEY_NOT_ACTIVE, KEY_CERTIFICATE_OVER, KEY_PROFILE, KEY_PACKAGE, KEY_USED_UP. */
export function checkUse(key: Policy, use: Use, now: Date): void {
  const { profile, packageName } = use;
  checkActive(key);
  if (key.not_after <= now && !isOfAndroid(use)) throw refused('KEY_CERTIFICATE_OVER', 'keyId');
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

/** Whether what is for these products, or for any where there are none, is for a key of those. Large numbers come as texts. */
export const fitsProducts = (ofKey: readonly (number | string)[], of: readonly (number | string)[]): boolean =>
  ofKey.length === 0 || (of.length > 0 && of.every((one) => ofKey.some((own) => Number(own) === Number(one))));

type Limits = Pick<KeyRow, 'package_names' | 'product_ids'>;
const covers = (pattern: string, other: string): boolean =>
  pattern === other || (pattern.endsWith('.*') && other.startsWith(pattern.slice(0, -1)) && other.length > pattern.length - 1);
/** Whether a key may sign a package, or for a product, that this one may not. */
export const isWider = (of: Limits, than: Limits): boolean =>
  !fitsProducts(than.product_ids, of.product_ids) ||
  (than.package_names.length > 0 &&
    (of.package_names.length === 0 || !of.package_names.every((one) => than.package_names.some((pattern) => covers(pattern, one)))));

type OfProducts = Pick<ProfileRow, 'product_ids' | 'key_id'> | undefined;
/** As the profile is, and as it was when it was asked for. Where it leaves the key open another key may do, else another profile. Fault: KEY_PRODUCT. */
export function checkProducts(key: Pick<KeyRow, 'product_ids'>, profile: OfProducts, asked: Use['productIds']): void {
  const now = profile?.product_ids ?? [];
  if (!fitsProducts(key.product_ids, now) || !fitsProducts(key.product_ids, asked ?? now))
    throw refused('KEY_PRODUCT', profile && profile.key_id === null ? 'keyId' : 'profileId');
}
