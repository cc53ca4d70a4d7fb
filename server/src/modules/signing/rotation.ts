import { createHash } from 'node:crypto';
import type { ApkSigner } from '@mooring/apk/api';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { derOf } from './certificate.ts';
import type { JobRow } from './job-rows.ts';
import type { KeyRow } from './key.resource.ts';
import type { Held } from './vault/protocol.ts';
import type { Vault } from './vault/vault.ts';

/** From here on Android looks at scheme 3 alone, which knows rotation: before, at what the oldest key signs. */
const KNOWS_ROTATION = 28;

/** A key of ours, as what signs packages takes it. */
export const apkSigner = (vault: Vault, { chain, algorithm }: Pick<KeyRow, 'chain' | 'algorithm'>, held: Held): ApkSigner => ({
  certificates: derOf(chain),
  algorithm: algorithm.startsWith('rsa') ? 'rsa' : 'ec',
  sign: (digest, data) => vault.sign({ ...held, digest, data: Buffer.from(data) }),
});

export const nextOf = (db: Db, id: number) =>
  db.selectFrom('signing_key').select(['id', 'name', 'certificate_sha256']).where('follows_id', '=', id).executeTakeFirst();

/** The certificates of the keys from the first one of its line up to this. */
export async function lineOf(db: Db, id: number): Promise<readonly string[]> {
  const { rows } = await sql<{ certificate: string }>`
    with recursive line as (
      select id, follows_id, certificate_sha256 from signing_key where id = ${id}
      union all select k.id, k.follows_id, k.certificate_sha256 from signing_key k join line on k.id = line.follows_id)
    select certificate_sha256 as certificate from line`.execute(db);
  return rows.map(({ certificate }) => certificate);
}

const proofHash = (key: KeyRow | undefined): string | null => (key?.proof ? createHash('sha256').update(key.proof).digest('hex') : null);

interface Wanted {
  readonly wanted: boolean;
  readonly packageName: string;
  readonly minSdk: number;
}
/** What a request says of the line that its key ends: an Android package carries the proof, and for older Androids the first key signs it too. */
export function rotationFor(key: KeyRow | undefined, { wanted, packageName, minSdk }: Wanted) {
  const rotation = wanted && packageName !== '' && (key?.proof ?? null) !== null;
  return {
    rotation,
    oldest_key_id: rotation && minSdk < KNOWS_ROTATION ? (key?.oldest_id ?? null) : null,
    proof_sha256: rotation ? proofHash(key) : null,
  };
}

export type OfLine = Pick<JobRow, 'rotation' | 'oldest_key_id' | 'proof_sha256'>;
/** The line is the one that was read when the signature was asked for. Fault: KEY_ROTATION_CHANGED. */
export function checkLine(key: KeyRow | undefined, { rotation, oldest_key_id, proof_sha256 }: OfLine): void {
  if (!rotation) return;
  if (!key?.proof || proofHash(key) !== proof_sha256 || (oldest_key_id !== null && oldest_key_id !== key.oldest_id))
    throw new Fault('KEY_ROTATION_CHANGED');
}
