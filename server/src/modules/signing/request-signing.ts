import { readPackage } from '@mooring/apk/api';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import { inTurn } from '../../platform/in-turn.ts';
import { checkStorage, namedFiles } from '../file/api.ts';
import { notify } from '../message/api.ts';
import { approversOf } from '../settings/api.ts';
import { checkJobs } from './job-limits.ts';
import { JOB_GROUP, jobLink, jobRows } from './job-rows.ts';
import { type KeyRow, keyById } from './key.resource.ts';
import { withLocalFile } from './local-file.ts';
import { formOf, jobColumns, type ProfileRow, profileById } from './profile-rows.ts';
import { rotationFor } from './rotation.ts';
import { certificateOf, checkSigner, homeOf, type Parties, signerName } from './signer.ts';
import { byRule } from './verify-file.ts';

const WAITS_DAYS = 7;
const DAY = 86_400_000;
export const APK = '4';
const [JAR, ATTACHMENT] = ['3', '8'] as const;
const kindsOf = { apk: [APK, JAR], cms: [APK, JAR, ATTACHMENT] } as const;
/** Each has a whole package on the disk meanwhile. */
const turn = inTurn({ atOnce: 2, queue: 10 });

/** A job that asks to sign one's own upload; what the key's policy refuses isn't asked for. */
export async function requestSigning(
  ctx: Ctx,
  app: AppContext,
  store: BlobStore,
  input: ParsedInputOf<typeof signingJobCalls.add>,
): Promise<number> {
  const { fileId, purpose } = input;
  const by = await profileFor(ctx, input.profileId);
  const profile = formOf(by, input.profile);
  const keyId = keyFor(by, input.keyId);
  const named = await namedFiles(ctx, [fileId], kindsOf[profile], async () => []);
  const file = named.get(fileId);
  if (!file) throw fault('NOT_FOUND');
  const known = await ctx.inTx((db) => keyOf(db, keyId));
  const isPackage = file.kind === APK || (await holdsManifest(store, file.sha256));
  const about = isPackage ? await packageOf(app, store, file.sha256, file.kind !== APK && profile === 'cms') : noPackage;
  const use = { profile, packageName: about.packageName };
  const wanted = { ...about, wanted: input.rotation && profile === 'apk' };
  const before = rotationFor(known, wanted);
  checkSigner({ key: known, profile: by, oldest: await ctx.inTx((db) => keyOf(db, before.oldest_key_id)) }, use, ctx.now());
  return ctx.unscoped(async (db) => {
    await lockBlob(db, file.sha256);
    const there = await db.selectFrom('file_file').select('id').where('id', '=', fileId).executeTakeFirst();
    if (!there) throw fault('NOT_FOUND');
    const current = by && (await heldProfile(db, by.id));
    if (current && keyFor(current, keyId) !== keyId) throw fault('OVERTAKEN');
    const key = await keyOf(db, keyId);
    const line = rotationFor(key, wanted);
    const parties: Parties = { key, profile: current, oldest: await keyOf(db, line.oldest_key_id) };
    checkSigner(parties, use, ctx.now());
    const { dept_id, dept_path } = homeOf(parties);
    await checkJobs(db, { userId: ctx.actor.userId, path: dept_path, size: file.size });
    // Its bytes are kept for whom the key belongs to.
    await checkStorage(db, dept_path, file.size);
    const { can } = signingJobCalls.approve;
    const asked = {
      can,
      platform: 'centre',
      except: ctx.actor.userId,
      now: ctx.now(),
      path: dept_path,
      administrators: false,
      always: true,
    } as const;
    const approvers = await approversOf(db, asked);
    if (approvers.length === 0) throw new Fault('DUAL_NOBODY');
    const { id } = await db
      .insertInto('signing_job')
      .values({
        key_id: keyId,
        file_id: fileId,
        file_name: file.name,
        size: file.size,
        profile,
        ...jobColumns(current),
        package_name: about.packageName,
        min_sdk: about.minSdk,
        version_name: about.versionName,
        version_code: about.versionCode,
        debuggable: about.debuggable,
        test_only: about.testOnly,
        shared_user: about.sharedUser,
        ...line,
        purpose,
        author_id: ctx.actor.userId,
        author: ctx.actor.userName,
        created_at: ctx.now(),
        expires_at: new Date(ctx.now().getTime() + WAITS_DAYS * DAY),
        sha256_before: file.sha256,
        certificate_sha256: certificateOf(parties),
        dept_id,
        dept_path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordCreated(db, jobRows, [id], ctx.actor.userId);
    await notify(db, {
      name: 'signingAsked',
      params: { author: ctx.actor.userName, file: file.name, key: signerName(parties) },
      to: { users: approvers },
      deptPath: dept_path,
      priority: '1',
      link: `${jobLink}?job=${id}`,
      channels: ['centre', 'email'],
    });
    ctx.audit({
      target: `signing of ${file.name}`,
      after: { key: signerName(parties), profile, ...(by ? { by: by.name } : {}), sha256: file.sha256, ...about, rotation: line.rotation },
    });
    await ctx.invalidate(db, JOB_GROUP, dept_path);
    return id;
  });
}

const profileFor = async (ctx: Ctx, id: number | null): Promise<ProfileRow | undefined> =>
  id === null ? undefined : ctx.inTx((db) => profileById(db, id));

/** As it stands, and stays until the request is written. */
async function heldProfile(db: Db, id: number): Promise<ProfileRow> {
  await sql`select from signing_profile where id = ${id} for key share`.execute(db);
  return profileById(db, id);
}

const keyOf = async (db: Db, id: number | null): Promise<KeyRow | undefined> => (id === null ? undefined : keyById(db, id));

/** The profile's own key, or the one that is named; none where the profile's is elsewhere. Fault: SIGNING_PROFILE_KEY. */
function keyFor(profile: ProfileRow | undefined, named: number | null): number | null {
  const own = profile?.key_id ?? null;
  const isOther = profile?.kind === 'external' ? named !== null : own !== null && named !== null && own !== named;
  if (isOther) throw new Fault('SIGNING_PROFILE_KEY', { fields: { keyId: 'fault.SIGNING_PROFILE_KEY' } });
  if (profile?.kind === 'external') return null;
  const id = own ?? named;
  if (id === null) throw new Fault('BAD_INPUT', { fields: { keyId: 'invalid.required' } });
  return id;
}

const MANIFEST = Buffer.from('AndroidManifest.xml');
/** An archive, whatever it calls itself, that may be an Android package: names in archives are never packed. */
async function holdsManifest(store: BlobStore, sha256: string): Promise<boolean> {
  let last: Buffer | undefined;
  for await (const part of await store.read(sha256)) {
    const bytes: Buffer = last ? Buffer.concat([last, part as Buffer]) : (part as Buffer);
    if (bytes.includes(MANIFEST)) return true;
    last = bytes.subarray(-MANIFEST.length);
  }
  return false;
}

const noPackage = { packageName: '', minSdk: 1, versionName: '', versionCode: null, debuggable: false, testOnly: false, sharedUser: '' };
type About = Omit<typeof noPackage, 'versionCode'> & { readonly versionCode: number | null };
/** It is no archive, or has no manifest: the name merely stands somewhere in it. */
const isNoPackage = (error: unknown): boolean =>
  error instanceof Fault && error.fault === 'PACKAGE_UNREADABLE' && ['NOT_ARCHIVE', 'MANIFEST_MISSING'].includes(String(error.params.rule));

/** Fault: PACKAGE_UNREADABLE. What is `lenient` may be something else than it looks like: a signature beside it is of its bytes. */
async function packageOf(app: AppContext, store: BlobStore, sha256: string, lenient: boolean): Promise<About> {
  const give = await turn();
  try {
    const { info } = await withLocalFile(app, store, sha256, (path) => readPackage(path));
    const { packageName, minSdk, versionName, versionCode, debuggable, testOnly, sharedUser } = info;
    return { packageName, minSdk, versionName, versionCode, debuggable, testOnly, sharedUser };
  } catch (error) {
    if (lenient && isNoPackage(error)) return noPackage;
    throw byRule(error);
  } finally {
    give();
  }
}
