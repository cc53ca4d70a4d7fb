import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { derOf } from './certificate.ts';
import { subjectOf } from './subject.ts';

/** A profile as it stands, and stays until the transaction ends. */
export async function profileAsItStands(db: Db, id: number) {
  const row = await db
    .selectFrom('signing_profile')
    .select(['name', 'remark', 'kind', 'root', 'certificates', 'dept_id', 'dept_path'])
    .select(['product_ids as productIds', 'key_id as keyId', 'time_url as timeUrl', 'time_root as timeRoot'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  // A list of large numbers comes as texts.
  return { ...row, productIds: row.productIds.map(Number).sort((one, other) => one - other) };
}
export type Standing = Awaited<ReturnType<typeof profileAsItStands>>;

/** What it is called is one person's to say: whose signatures count, and for what, isn't. */
export const trustsTheSame = (one: Standing, other: Standing): boolean =>
  isDeepStrictEqual({ ...one, name: '', remark: '' }, { ...other, name: '', remark: '' });

const read = (pem: string) => derOf([pem]).map((raw) => new X509Certificate(raw));
const subjects = (pem: string): string => read(pem).map(subjectOf).join(', ');
const checksums = (pem: string): string =>
  read(pem)
    .map(({ fingerprint256 }) => fingerprint256.replaceAll(':', '').toLowerCase())
    .join(', ');

/** As the second person reads it, certificates by their checksums. `db` is past the policies: all of it counts, whoever sees the key. */
export async function described(db: Db, of: Standing) {
  const key =
    of.keyId === null
      ? undefined
      : await db.selectFrom('signing_key').select(['name', 'certificate_sha256']).where('id', '=', of.keyId).executeTakeFirst();
  return {
    name: of.name,
    asks: of.kind,
    coversIds: of.productIds,
    root: subjects(of.root),
    rootSha256: checksums(of.root),
    signer: subjects(of.certificates),
    signerSha256: checksums(of.certificates),
    signsWith: key?.name ?? '',
    signsWithSha256: key?.certificate_sha256 ?? '',
    timeUrl: of.timeUrl,
    timeRoot: subjects(of.timeRoot),
    timeSha256: checksums(of.timeRoot),
    remark: of.remark,
  };
}
