import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import type { digests, SignProfile } from '@mooring/contract/signing/limits';
import { certificateColumns, chainIn, derOf } from './certificate.ts';
import type { JobRow } from './job-rows.ts';
import type { KeyRow } from './key.resource.ts';
import { checkProducts, checkUse, type Use } from './policy.ts';
import { checkKeyOf, type ProfileRow } from './profile-rows.ts';
import { checkLine, type OfLine } from './rotation.ts';
import { algorithmOf, publicBytes } from './vault/private-key.ts';

export type DigestName = (typeof digests)[number];
/** Who signs: a key of ours, or the external one of a profile. */
export interface Parties {
  readonly key: KeyRow | undefined;
  readonly profile: ProfileRow | undefined;
  /** The first key of a proven rotation, where it signs for older Androids. */
  readonly oldest?: KeyRow | undefined;
}

const refused = (name: string, field: string) => new Fault(name, { fields: { [field]: `fault.${name}` } });

/** What a job is, for its key's policy. */
export const useOf = ({ profile, package_name: packageName, product_ids: productIds }: JobRow): Use => ({
  profile: profile as SignProfile,
  packageName,
  productIds,
});

/** Its policy and a profile's root hold for what it signs beside a later key; that certificates are over, or that the root was renewed since, is why there is one: their dates aren't asked. Fault: KEY_EARLIER. */
function checkOldest(oldest: KeyRow, profile: ProfileRow | undefined, use: Use, now: Date): void {
  try {
    checkUse({ ...oldest, not_after: new Date(now.getTime() + 1) }, use, now);
    checkProducts(oldest, profile, use.productIds);
    checkKeyOf(profile, oldest, undefined);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('KEY_EARLIER', { fields: { rotation: 'fault.KEY_EARLIER' }, params: { name: oldest.name } });
  }
}

/** Faults: those of a key's policy; SIGNING_PROFILE_CHANGED, KEY_CERTIFICATE_OVER, KEY_EARLIER. */
export function checkSigner({ key, profile, oldest }: Parties, use: Use, now: Date): void {
  if (oldest) checkOldest(oldest, profile, use, now);
  if (key) {
    checkUse(key, use, now);
    checkProducts(key, profile, use.productIds);
    checkKeyOf(profile, key, now);
    return;
  }
  if (profile?.kind !== 'external') throw new Fault('SIGNING_PROFILE_CHANGED');
  if (!profile.signer_ends || profile.signer_ends <= now) throw refused('KEY_CERTIFICATE_OVER', 'profileId');
}

/** Faults: KEY_CERTIFICATE_CHANGED, KEY_ROTATION_CHANGED. */
export function checkCertificate(parties: Parties, job: Pick<JobRow, 'certificate_sha256'> & OfLine): void {
  if (certificateOf(parties) !== job.certificate_sha256) throw new Fault('KEY_CERTIFICATE_CHANGED');
  checkLine(parties.key, job);
}

export const certificateOf = ({ key, profile }: Parties): string => key?.certificate_sha256 ?? profile?.signer_sha256 ?? '';
export const signerName = ({ key, profile }: Parties): string => key?.name ?? profile?.name ?? '';
/** Whose organisation it is. */
export function homeOf({ key, profile }: Parties): { readonly dept_id: number; readonly dept_path: string } {
  const home = key ?? profile;
  if (!home) throw new Fault('SIGNING_PROFILE_CHANGED');
  return home;
}

const noSigner = { certificates: '', signer_subject: '', signer_sha256: '', signer_ends: null };

function readOwn(text: string): X509Certificate {
  const [own] = pemBlocks(text, 'CERTIFICATE');
  try {
    if (own) return new X509Certificate(own);
  } catch {
    // Said below, as where there is none.
  }
  throw refused('KEY_CHAIN_UNREAD', 'certificates');
}

/** What is kept of whoever signs elsewhere. Faults: KEY_CHAIN_*, KEY_CERTIFICATE_OVER, SIGNING_CERTIFICATE_KEY. */
export function externalColumns(kind: string, text: string, now: Date) {
  if (kind !== 'external') return noSigner;
  if (text === '') throw new Fault('BAD_INPUT', { fields: { certificates: 'invalid.required' } });
  const own = readOwn(text);
  if (!algorithmOf(own.publicKey)) throw refused('SIGNING_CERTIFICATE_KEY', 'certificates');
  if (new Date(own.validTo) <= now || now < new Date(own.validFrom)) throw refused('KEY_CERTIFICATE_OVER', 'certificates');
  const chain = chainIn(text, publicBytes(own.publicKey));
  const { chain: certificates, subject, certificate_sha256, not_after } = certificateColumns(chain);
  return { certificates: certificates.join('\n'), signer_subject: subject, signer_sha256: certificate_sha256, signer_ends: not_after };
}

/** The algorithm and the certificates, its own first, of the external key of a profile. */
export function externalSigner({ certificates }: Pick<ProfileRow, 'certificates'>) {
  const chain = derOf([certificates]);
  const { publicKey } = new X509Certificate(chain[0] ?? Buffer.alloc(0));
  const algorithm = algorithmOf(publicKey);
  // Seen when it was saved.
  if (!algorithm) throw new Fault('SIGNING_CERTIFICATE_KEY');
  return { algorithm, chain, publicKey };
}
