import { X509Certificate } from 'node:crypto';
import { leadsTo } from '@mooring/apk/cms/leads-to';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { SignProfile } from '@mooring/contract/signing/limits';
import type { ProfileKind } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { derOf } from './certificate.ts';
import type { JobRow } from './job-rows.ts';
import type { KeyRow } from './key.resource.ts';

export const PROFILE_GROUP = '/api/keystore/profile';
export type ProfileRow = Awaited<ReturnType<typeof profileById>>;

/** What a signature by profile `s` is asked for under, as one hash; its name and its products aren't among it. Requests that wait keep it: it stays as it is. */
export const termsOf = sql<string>`encode(sha256(convert_to('[' || concat_ws(',', to_json(s.kind), to_json(s.root_sha256),
  coalesce(s.key_id::text, 'null'), case when s.time_url <> '' then to_json(s.time_url) || ',' || to_json(s.time_root) end,
  case when s.certificates <> '' then to_json(s.certificates) end) || ']', 'UTF8')), 'hex')`;

/** By its id, under whichever policy `db` is bound to. */
export async function profileById(db: Db, id: number) {
  const row = await db
    .selectFrom('signing_profile as s')
    .selectAll('s')
    .select(termsOf.as('terms'))
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { ...row, kind: row.kind as ProfileKind };
}

/** Of a job, as the profile stands now. */
export const jobColumns = (profile: ProfileRow | undefined) =>
  profile
    ? {
        profile_id: profile.id,
        profile_name: profile.name,
        profile_kind: profile.kind,
        root_sha256: profile.root_sha256,
        profile_terms: profile.terms,
        product_ids: profile.product_ids,
      }
    : {};

/** A profile for signatures beside the file has no others. */
export const formOf = (profile: ProfileRow | undefined, asked: SignProfile): SignProfile => (profile?.kind === 'cms' ? 'cms' : asked);

export const isBelow = ({ root }: Pick<ProfileRow, 'root'>, chain: readonly Uint8Array[], now: Date | undefined): boolean =>
  leadsTo(chain, new X509Certificate(root), now);

/** Fault: KEY_NOT_BELOW. */
export function checkKeyOf(profile: ProfileRow | undefined, key: Pick<KeyRow, 'chain'>, now: Date | undefined): void {
  if (profile?.kind === 'chain' && !isBelow(profile, derOf(key.chain), now))
    throw new Fault('KEY_NOT_BELOW', { fields: { keyId: 'fault.KEY_NOT_BELOW' } });
}

/** The profile of a job as it was asked for. Fault: SIGNING_PROFILE_CHANGED. */
export async function profileOfJob(db: Db, job: Pick<JobRow, 'profile_id' | 'profile_kind' | 'profile_terms'>) {
  if (job.profile_kind === '') return undefined;
  if (job.profile_id === null) throw new Fault('SIGNING_PROFILE_CHANGED');
  const profile = await profileById(db, job.profile_id);
  if (profile.terms !== job.profile_terms) throw new Fault('SIGNING_PROFILE_CHANGED');
  return profile;
}

/** Of an open job with its key `k` and its profile `s`, as far as they are seen: what became another since it was asked for. */
export const outdatedBy = (job: 't' | 'j') => sql<'profile' | 'certificate' | 'rotation' | null>`case
  when ${sql.ref(`${job}.state`)} not in ('requested', 'waiting', 'approved', 'signing') then null
  when s.id is not null and ${termsOf} <> ${sql.ref(`${job}.profile_terms`)} then 'profile'
  when k.id is not null and k.certificate_sha256 <> ${sql.ref(`${job}.certificate_sha256`)} then 'certificate'
  when k.id is not null and ${sql.ref(`${job}.rotation`)} and (k.proof is null or encode(sha256(k.proof), 'hex') is distinct from ${sql.ref(`${job}.proof_sha256`)}
    or ${sql.ref(`${job}.oldest_key_id`)} <> k.oldest_id) then 'rotation' end`;
