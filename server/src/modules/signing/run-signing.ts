import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { signPackage } from '@mooring/apk/api';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { SignProfile } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { isAway, isOvertaken } from '../../platform/db/away.ts';
import { move } from '../../platform/db/move.ts';
import type { BlobStore, Stored } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import { job } from '../../platform/module.ts';
import { dropUnnamed, spaceFault } from '../file/api.ts';
import { notify } from '../message/api.ts';
import { signerOf } from './add-key.ts';
import { derOf } from './certificate.ts';
import { contentDigest, detachedCms } from './cms.ts';
import { dropBytes, JOB_GROUP, type JobRow, jobById, jobLink, jobRows, SIGN } from './job-rows.ts';
import { type KeyRow, keyById, secretOf } from './key.resource.ts';
import { withLocalFile } from './local-file.ts';
import { checkUse } from './policy.ts';
import type { Held } from './vault/protocol.ts';
import { type Vault, VaultAway } from './vault/vault.ts';

const KEPT_DAYS = 7;
const DAY = 86_400_000;
const TRIES = 3;

interface Parts {
  readonly app: AppContext;
  readonly store: BlobStore;
  readonly vault: Vault;
}
interface Work {
  readonly row: JobRow;
  readonly key: KeyRow;
  readonly held: Held;
}

async function signFile({ vault }: Parts, { row, key, held }: Work, from: string, folder: string, now: Date): Promise<string> {
  const to = join(folder, 'out');
  const chain = derOf(key.chain);
  if (row.profile === 'apk') {
    const algorithm = key.algorithm.startsWith('rsa') ? 'rsa' : 'ec';
    const sign = (digest: 'sha256' | 'sha512', data: Uint8Array) => vault.sign({ ...held, digest, data: Buffer.from(data) });
    await signPackage({ from, to, signer: { certificates: chain, algorithm, sign }, minSdk: row.min_sdk ?? 1 });
  } else {
    const hash = contentDigest(key.algorithm);
    await pipeline(createReadStream(from), hash);
    await writeFile(to, await detachedCms({ algorithm: key.algorithm, chain, digest: hash.digest(), at: now }, signerOf(vault, held)));
  }
  return to;
}

/** What will be stored is noted first: a server that ends after storing it leaves bytes that somebody knows of. */
const signed = (ctx: Ctx, parts: Parts, work: Work): Promise<Stored> =>
  withLocalFile(parts.app, parts.store, work.row.sha256_before, async (from, folder) => {
    const path = await signFile(parts, work, from, folder, ctx.now());
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const noted = { sha256_after: hash.digest('hex') };
    await ctx.unscoped((db) =>
      db.updateTable('signing_job').set(noted).where('id', '=', work.row.id).where('state', '=', 'signing').execute(),
    );
    return parts.store.put(createReadStream(path));
  });

/** The vault comes back by itself; whoever waits for it longer comes again later, by the queue. */
async function signedPatiently(ctx: Ctx, parts: Parts, work: Work): Promise<Stored> {
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

async function finish(ctx: Ctx, store: BlobStore, { row, key }: Work, stored: Stored): Promise<void> {
  await ctx.unscoped(async (db) => {
    // The same bytes may have been made before, and be on their way out since.
    await lockBlob(db, stored.sha256);
    if ((await store.size(stored.sha256)) === undefined) throw fault('UNAVAILABLE', { seconds: 60 });
    await sql`select from signing_key where id = ${row.key_id} for update`.execute(db);
    if ((await keyById(db, row.key_id)).state !== 'active') throw new Fault('KEY_NOT_ACTIVE');
    const set = {
      signed_at: ctx.now(),
      sha256_after: stored.sha256,
      certificate_sha256: key.certificate_sha256,
      result_name: resultName(row),
      result_size: stored.size,
      kept_until: new Date(ctx.now().getTime() + KEPT_DAYS * DAY),
      keeps_before: false,
    };
    const done = await move(db, jobRows, 'finish', [row.id], { set });
    await dropBytes(ctx, db, done.length > 0 ? [row.sha256_before] : [stored.sha256]);
    if (done.length === 0) return;
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
    const gone = await move(db, jobRows, 'fail', [row.id], { set: { reason, keeps_before: false, sha256_after: null } });
    if (gone.length === 0) return;
    await db
      .updateTable('signing_key')
      .set((eb) => ({ uses: eb('uses', '-', 1) }))
      .where('id', '=', row.key_id)
      .where('uses', '>', 0)
      .execute();
    await dropBytes(ctx, db, [row.sha256_before, ...(stored?.sha256_after ? [stored.sha256_after] : [])]);
    await tell(ctx, db, row, 'signingFailed', { reasonKey: `fault.${reason}` });
  });
}

function refusalOf(row: JobRow, key: KeyRow, now: Date): string | undefined {
  try {
    // The approval has counted its use.
    checkUse({ ...key, most_uses: null }, { profile: row.profile as SignProfile, packageName: row.package_name }, now);
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
  return key.certificate_sha256 === row.certificate_sha256 ? undefined : 'CHANGE_OUTDATED';
}

/** It goes when that is over: the queue comes again. */
function isPassing(error: unknown): boolean {
  if (error instanceof VaultAway || isAway(error) || isOvertaken(error)) return true;
  const said = spaceFault(error);
  return said instanceof Fault && said.code === 503;
}

/** Begins one that is approved, or that another server left in the middle. Undefined: it is over already. */
async function begin(ctx: Ctx, id: number): Promise<Work | { readonly row: JobRow; readonly reason: string } | undefined> {
  return ctx.unscoped(async (db) => {
    const begun = await move(db, jobRows, 'begin', [id]);
    if (begun.length === 0) return undefined;
    const row = await jobById(db, id);
    // Stored by a server that ended before it was done.
    if (row.sha256_after) await dropBytes(ctx, db, [row.sha256_after]);
    await ctx.invalidate(db, JOB_GROUP, row.dept_path);
    const key = await keyById(db, row.key_id);
    // Stopped, or allowed less, after the approval: that is what those are for.
    const reason = refusalOf(row, key, ctx.now());
    if (reason !== undefined) return { row, reason };
    return { row, key, held: await secretOf(db, key) };
  });
}

/** Running twice: who finishes first has signed it, the other's bytes go again. What the server's end cut off begins anew. */
export const signJob = (parts: Parts) =>
  job({
    name: SIGN,
    payload: z.object({ id: z.int() }),
    run: async (ctx, { id }) => {
      const work = await begin(ctx, id);
      if (!work) return;
      if ('reason' in work) {
        await fail(ctx, work.row, work.reason);
        return;
      }
      try {
        const stored = await signedPatiently(ctx, parts, work);
        await finish(ctx, parts.store, work, stored).catch(async (error: unknown) => {
          await dropUnnamed(ctx, stored.sha256);
          throw error;
        });
      } catch (error) {
        if (isPassing(error)) throw error;
        if (!(error instanceof Fault)) ctx.log.error({ job: id, error: error instanceof Error ? error.name : 'unknown' }, 'not signed');
        await fail(ctx, work.row, error instanceof Fault ? error.fault : 'SIGNING_FAILED');
      }
    },
  });
