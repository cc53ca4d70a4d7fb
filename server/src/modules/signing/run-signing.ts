import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type SignRequest, signPackage } from '@mooring/apk/api';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { isAway, isOvertaken } from '../../platform/db/away.ts';
import { move } from '../../platform/db/move.ts';
import type { BlobStore, Stored } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import { job } from '../../platform/module.ts';
import { dropUnnamed, spaceFault } from '../file/api.ts';
import { notify } from '../message/api.ts';
import { type Stamping, stampOf, TimeAway } from './ask-time.ts';
import { derOf } from './certificate.ts';
import { contentDigest, detachedCms } from './cms.ts';
import { dropBytes, isForTerminals, JOB_GROUP, type JobRow, jobById, jobLink, jobRows, SIGN } from './job-rows.ts';
import { countUse, heldKeys, type KeyRow, keyById, lockKeys, secretOf } from './key.resource.ts';
import { withLocalFile } from './local-file.ts';
import { askOutside, outsideKey, SignedElsewhere } from './outside.ts';
import { type ProfileRow, profileOfJob } from './profile-rows.ts';
import { recordEnd } from './record-end.ts';
import { apkSigner } from './rotation.ts';
import { checkCertificate, checkSigner, type DigestName, externalSigner, type Parties, useOf } from './signer.ts';
import type { TimeStamp } from './timestamp.ts';
import { isTokenAway } from './vault/token.ts';
import { type Vault, VaultAway } from './vault/vault.ts';
import { tokenServes, waitForTime, waitForToken } from './wait-for-token.ts';

const KEPT_DAYS = 7;
const DAY = 86_400_000;
const TRIES = 3;

interface Parts {
  readonly app: AppContext;
  readonly store: BlobStore;
  readonly vault: Vault;
}
interface Signer {
  readonly algorithm: string;
  /** DER, its own first. */
  readonly chain: readonly Buffer[];
  readonly sign: (digest: DigestName, data: Buffer) => Promise<Buffer>;
  readonly lineage?: SignRequest['lineage'];
}
interface Work {
  readonly row: JobRow;
  readonly signer: Signer;
  /** Those of ours that sign: its own, and the first one of its line. */
  readonly keys: readonly KeyRow[];
  /** The one of them that a token has. */
  readonly tokenKey: KeyRow | undefined;
  /** What a signature beside the file says of when it was made. */
  readonly at: Date;
  /** Whose time stamp it gets. */
  readonly stamping?: Stamping | undefined;
}
interface Signed {
  readonly stored: Stored;
  readonly stamp?: TimeStamp | undefined;
}
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

interface Made {
  readonly path: string;
  readonly digest: Buffer;
  readonly stamp?: TimeStamp | undefined;
}

/** The signed package, or the signature beside the file; a time stamp is of the former as a whole, and of the latter's signature, which holds it. */
async function signFile(ctx: Ctx, work: Work, from: string, folder: string): Promise<Made> {
  const { row, signer, stamping } = work;
  const { algorithm, chain, lineage } = signer;
  const path = join(folder, 'out');
  if (row.profile === 'apk') {
    const family = algorithm.startsWith('rsa') ? 'rsa' : 'ec';
    const sign = (digest: DigestName, data: Uint8Array) => signer.sign(digest, Buffer.from(data));
    await signPackage({ from, to: path, signer: { certificates: chain, algorithm: family, sign }, minSdk: row.min_sdk ?? 1, lineage });
  } else {
    const content = contentDigest(algorithm);
    await pipeline(createReadStream(from), content);
    let stamp: TimeStamp | undefined;
    const stamped = async (of: Stamping, signature: Buffer) => {
      stamp = await stampOf(ctx, of, sha256(signature));
      return stamp.token;
    };
    const within = stamping && ((signature: Buffer) => stamped(stamping, signature));
    const of = { algorithm, chain, digest: content.digest(), at: work.at, stamp: within };
    const bytes = await detachedCms(of, signer.sign);
    await writeFile(path, bytes);
    return { path, digest: sha256(bytes), stamp };
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const digest = hash.digest();
  return { path, digest, stamp: stamping && (await stampOf(ctx, stamping, digest)) };
}

/** What will be stored is noted first: a server that ends after storing it leaves bytes that somebody knows of. */
const signed = (ctx: Ctx, parts: Parts, work: Work): Promise<Signed> =>
  withLocalFile(parts.app, parts.store, work.row.sha256_before, async (from, folder) => {
    const { path, digest, stamp } = await signFile(ctx, work, from, folder);
    const noted = { sha256_after: digest.toString('hex') };
    await ctx.unscoped((db) =>
      db.updateTable('signing_job').set(noted).where('id', '=', work.row.id).where('state', '=', 'signing').execute(),
    );
    return { stored: await parts.store.put(createReadStream(path)), stamp };
  });

/** The vault comes back by itself; whoever waits for it longer comes again later, by the queue. */
async function signedPatiently(ctx: Ctx, parts: Parts, work: Work): Promise<Signed> {
  // It was away: a file isn't signed for nothing.
  if (work.row.waits_for === 'time' && work.stamping) await stampOf(ctx, work.stamping, sha256(Buffer.from(work.row.sha256_before)));
  for (let left = TRIES; ; left -= 1) {
    try {
      return await signed(ctx, parts, work);
    } catch (error) {
      if (!(error instanceof VaultAway) || left <= 1) throw error;
    }
  }
}

const resultName = ({ file_name: name, profile }: JobRow): string =>
  profile === 'cms' ? `${name}.p7s` : name.replace(/(\.[A-Za-z0-9]{1,8})?$/, '-signed$1');

async function finish(ctx: Ctx, store: BlobStore, { row, keys }: Work, { stored, stamp }: Signed): Promise<void> {
  await ctx.unscoped(async (db) => {
    // The same bytes may have been made before, and be on their way out since.
    await lockBlob(db, stored.sha256);
    if ((await store.size(stored.sha256)) === undefined) throw fault('UNAVAILABLE', { seconds: 60 });
    const [key, oldest] = await heldKeys(db, row.key_id, row.oldest_key_id);
    const judged = await judge(db, row, { key, oldest }, ctx.now());
    if ('reason' in judged) throw new Fault(judged.reason);
    const set = {
      signed_at: ctx.now(),
      sha256_after: stored.sha256,
      result_name: resultName(row),
      result_size: stored.size,
      kept_until: new Date(ctx.now().getTime() + KEPT_DAYS * DAY),
      keeps_before: false,
      keeps_after: isForTerminals(row),
      waits_since: null,
      waits_for: null,
      ...(stamp ? { stamped_at: stamp.at, stamped_by: stamp.by, stamp: stamp.token } : {}),
    };
    const done = await move(db, jobRows, 'finish', [row.id], { set });
    await dropBytes(ctx, db, done.length > 0 ? [row.sha256_before] : [stored.sha256]);
    if (done.length === 0) return;
    await recordEnd(db, row.id);
    if (keys.length > 0) await tokenServes(ctx, db, sql<boolean>`id = any(${keys.map((one) => one.store_id)}::bigint[])`);
    await tell(ctx, db, row, 'signingDone', {});
  });
}

type Told = 'signingDone' | 'signingFailed';
async function tell(ctx: Ctx, db: Parameters<typeof notify>[0], row: JobRow, name: Told, params: Record<string, string>): Promise<void> {
  if (row.author_id !== null)
    await notify(db, {
      name,
      params: { file: row.file_name, ...params },
      to: { users: [row.author_id] },
      deptPath: row.dept_path,
      link: jobLink,
      channels: ['centre'],
    });
  await ctx.invalidate(db, JOB_GROUP, row.dept_path);
}

/** Its use of the key doesn't count. */
export async function fail(ctx: Ctx, row: JobRow, reason: string): Promise<void> {
  await ctx.unscoped(async (db) => {
    const stored = await db.selectFrom('signing_job').select('sha256_after').where('id', '=', row.id).executeTakeFirst();
    const gone = await move(db, jobRows, 'fail', [row.id], {
      set: { reason, keeps_before: false, sha256_after: null, waits_since: null, waits_for: null },
    });
    if (gone.length === 0) return;
    await recordEnd(db, row.id);
    const ids = [row.key_id, row.oldest_key_id].filter((one) => one !== null);
    await lockKeys(db, ids);
    for (const id of ids) await countUse(ctx, db, id, -1);
    await dropBytes(ctx, db, [row.sha256_before, ...(stored?.sha256_after ? [stored.sha256_after] : [])]);
    await tell(ctx, db, row, 'signingFailed', { reasonKey: `fault.${reason}` });
  });
}

type Judged = { readonly reason: string } | { readonly profile: ProfileRow | undefined };
/** Stopped, or allowed less, after the approval: that is what those are for. */
async function judge(db: Db, row: JobRow, { key, oldest }: Omit<Parties, 'profile'>, now: Date): Promise<Judged> {
  try {
    const profile = await profileOfJob(db, row);
    // The approval has counted its use.
    const parties = { key: key && { ...key, most_uses: null }, profile, oldest: oldest && { ...oldest, most_uses: null } };
    checkSigner(parties, useOf(row), now);
    checkCertificate(parties, row);
    return { profile };
  } catch (error) {
    if (error instanceof Fault) return { reason: error.fault };
    throw error;
  }
}

/** It goes when that is over: the queue comes again. */
function isPassing(error: unknown): boolean {
  if (error instanceof VaultAway || isAway(error) || isOvertaken(error)) return true;
  const said = spaceFault(error);
  return said instanceof Fault && said.code === 503;
}

/** Begins one that is approved, or that another server left in the middle. Undefined: it is over already. */
async function begin(
  ctx: Ctx,
  { vault }: Parts,
  id: number,
): Promise<Work | { readonly row: JobRow; readonly reason: string } | undefined> {
  return ctx.unscoped(async (db) => {
    const begun = await move(db, jobRows, 'begin', [id]);
    if (begun.length === 0) return undefined;
    const row = await jobById(db, id);
    // Stored by a server that ended before it was done.
    if (row.sha256_after) await dropBytes(ctx, db, [row.sha256_after]);
    await ctx.invalidate(db, JOB_GROUP, row.dept_path);
    const key = row.key_id === null ? undefined : await keyById(db, row.key_id);
    const oldest = row.oldest_key_id === null ? undefined : await keyById(db, row.oldest_key_id);
    const judged = await judge(db, row, { key, oldest }, ctx.now());
    if ('reason' in judged) return { row, reason: judged.reason };
    const { profile } = judged;
    const stamping = profile?.time_url ? profile : undefined;
    return { row, ...(await signerFor(db, vault, row, { key, oldest, profile })), at: row.asked_at ?? ctx.now(), stamping };
  });
}

type Signing = Pick<Work, 'signer' | 'keys' | 'tokenKey'>;
async function signerFor(db: Db, vault: Vault, row: JobRow, { key, oldest, profile }: Parties): Promise<Signing> {
  if (key) {
    const held = await secretOf(db, key);
    const first = oldest && { key: oldest, held: await secretOf(db, oldest) };
    const all = [{ key, held }, ...(first ? [first] : [])];
    const lineage = row.rotation && key.proof ? { proof: key.proof, oldest: first && apkSigner(vault, first.key, first.held) } : undefined;
    const sign = (digest: DigestName, data: Buffer) => vault.sign({ ...held, digest, data });
    return {
      signer: { algorithm: key.algorithm, chain: derOf(key.chain), sign, lineage },
      keys: all.map((one) => one.key),
      tokenKey: all.find((one) => one.held.kind === 'token')?.key,
    };
  }
  // Judged before: there is either.
  if (!profile) throw new Fault('SIGNING_PROFILE_CHANGED');
  return { signer: { ...externalSigner(profile), sign: await outsideKey(db, row.id) }, keys: [], tokenKey: undefined };
}

/** Running twice: who finishes first has signed it, the other's bytes go again. What the server's end cut off begins anew. */
export const signJob = (parts: Parts) =>
  job({
    name: SIGN,
    payload: z.object({ id: z.int() }),
    run: async (ctx, { id }) => {
      const work = await begin(ctx, parts, id);
      if (!work) return;
      if ('reason' in work) {
        await fail(ctx, work.row, work.reason);
        return;
      }
      try {
        const made = await signedPatiently(ctx, parts, work);
        await finish(ctx, parts.store, work, made).catch(async (error: unknown) => {
          await dropUnnamed(ctx, made.stored.sha256);
          throw error;
        });
      } catch (error) {
        if (error instanceof SignedElsewhere) return askOutside(ctx, work.row, work.at, error.asked);
        if (work.tokenKey && isTokenAway(error)) return waitForToken(ctx, work.row, work.tokenKey);
        if (error instanceof TimeAway) return waitForTime(ctx, work.row);
        if (isPassing(error)) throw error;
        if (!(error instanceof Fault)) ctx.log.error({ job: id, error: error instanceof Error ? error.name : 'unknown' }, 'not signed');
        await fail(ctx, work.row, error instanceof Fault ? error.fault : 'SIGNING_FAILED');
      }
    },
  });
