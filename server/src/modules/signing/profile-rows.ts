import { createHash, X509Certificate } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { SignProfile } from '@mooring/contract/signing/limits';
import type { ProfileKind } from '@mooring/contract/signing/profile';
import type { Db } from '../../platform/context.ts';
import { derOf } from './certificate.ts';
import type { JobRow } from './job-rows.ts';
import type { KeyRow } from './key.resource.ts';
import { leadsTo } from './leads-to.ts';

export const PROFILE_GROUP = '/api/keystore/profile';
export type ProfileRow = Awaited<ReturnType<typeof profileById>>;

/** By its id, under whichever policy `db` is bound to. */
export async function profileById(db: Db, id: number) {
  const row = await db.selectFrom('signing_profile').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { ...row, kind: row.kind as ProfileKind };
}

type Terms = Pick<ProfileRow, 'kind' | 'root_sha256' | 'key_id' | 'time_url' | 'time_root' | 'certificates'>;
/** What a signature is asked for under; its name and its products aren't among it. */
const termsOf = ({ kind, root_sha256, key_id, time_url, time_root, certificates }: Terms): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        kind,
        root_sha256,
        key_id,
        ...(time_url === '' ? [] : [time_url, time_root]),
        ...(certificates === '' ? [] : [certificates]),
      ]),
    )
    .digest('hex');

/** Of a job, as the profile stands now. */
export const jobColumns = (profile: ProfileRow | undefined) =>
  profile
    ? {
        profile_id: profile.id,
        profile_name: profile.name,
        profile_kind: profile.kind,
        root_sha256: profile.root_sha256,
        profile_terms: termsOf(profile),
        product_ids: profile.product_ids,
      }
    : {};

/** A profile for signatures beside the file has no others. */
export const formOf = (profile: ProfileRow | undefined, asked: SignProfile): SignProfile => (profile?.kind === 'cms' ? 'cms' : asked);

export const isBelow = ({ root }: Pick<ProfileRow, 'root'>, chain: readonly Uint8Array[], now: Date): boolean =>
  leadsTo(chain, new X509Certificate(root), now);

/** Fault: KEY_NOT_BELOW. */
export function checkKeyOf(profile: ProfileRow | undefined, key: Pick<KeyRow, 'chain'>, now: Date): void {
  if (profile?.kind === 'chain' && !isBelow(profile, derOf(key.chain), now))
    throw new Fault('KEY_NOT_BELOW', { fields: { keyId: 'fault.KEY_NOT_BELOW' } });
}

/** The profile of a job as it was asked for. Fault: CHANGE_OUTDATED. */
export async function profileOfJob(db: Db, job: Pick<JobRow, 'profile_id' | 'profile_kind' | 'profile_terms'>) {
  if (job.profile_kind === '') return undefined;
  if (job.profile_id === null) throw new Fault('CHANGE_OUTDATED');
  const profile = await profileById(db, job.profile_id);
  if (termsOf(profile) !== job.profile_terms) throw new Fault('CHANGE_OUTDATED');
  return profile;
}
