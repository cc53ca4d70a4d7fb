import { createHash, verify } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { notify } from '../message/api.ts';
import { JOB_GROUP, type JobRow, jobById, jobLink, jobRows, SIGN } from './job-rows.ts';
import { profileOfJob } from './profile-rows.ts';
import { type DigestName, externalSigner } from './signer.ts';

const WAITS_DAYS = 30;
const DAY = 86_400_000;

interface Asked {
  readonly digest: DigestName;
  readonly data: Buffer;
}
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

/** A signature is needed that only somebody else can make. */
export class SignedElsewhere extends Error {
  readonly asked: readonly Asked[];
  constructor(asked: readonly Asked[]) {
    super('signed elsewhere');
    this.asked = asked;
  }
}

const asksOf = (db: Db, jobId: number) => db.selectFrom('signing_ask').selectAll().where('job_id', '=', jobId).orderBy('id').execute();

/** Gives what was delivered; all else that is asked of it in one breath is what is missing. */
export async function outsideKey(db: Db, jobId: number) {
  const given = await asksOf(db, jobId);
  const missing: Asked[] = [];
  return async (digest: DigestName, data: Buffer): Promise<Buffer> => {
    const hash = sha256(data);
    const known = given.find((one) => one.digest === digest && one.sha256 === hash)?.signature;
    if (known) return known;
    missing.push({ digest, data });
    throw new SignedElsewhere(missing);
  };
}

/** The job waits for those signatures; whoever asked for it is told. Twice is as once. */
export const askOutside = (ctx: Ctx, row: JobRow, at: Date, asked: readonly Asked[]): Promise<void> =>
  ctx.unscoped(async (db) => {
    const set = {
      asked_at: at,
      expires_at: new Date(ctx.now().getTime() + WAITS_DAYS * DAY),
      sha256_after: null,
      waits_since: null,
      waits_for: null,
    };
    const waits = await move(db, jobRows, 'ask', [row.id], { set });
    if (waits.length === 0) return;
    await db.deleteFrom('signing_ask').where('job_id', '=', row.id).where('signature', 'is', null).execute();
    await db
      .insertInto('signing_ask')
      .values(asked.map(({ digest, data }) => ({ job_id: row.id, digest, sha256: sha256(data), data })))
      .onConflict((one) => one.doNothing())
      .execute();
    if (row.author_id !== null)
      await notify(db, {
        name: 'signingOutside',
        params: { file: row.file_name, profile: row.profile_name },
        to: { users: [row.author_id] },
        deptPath: row.dept_path,
        link: `${jobLink}?job=${row.id}`,
        channels: ['centre', 'email'],
      });
    await ctx.invalidate(db, JOB_GROUP, row.dept_path);
  });

const openAsks = async (db: Db, job: JobRow) => {
  if (job.state !== 'waiting') throw new Fault('SIGNING_NOT_OUTSIDE');
  return (await asksOf(db, job.id)).filter((one) => one.signature === null);
};

/** What is to be signed elsewhere. Fault: SIGNING_NOT_OUTSIDE. */
export async function digestsOf(ctx: Ctx, id: number) {
  const job = await ctx.inTx((own) => jobById(own, id));
  return ctx.unscoped(async (db) => {
    const asks = await openAsks(db, job);
    const profile = await profileOfJob(db, job);
    if (!profile) throw new Fault('SIGNING_NOT_OUTSIDE');
    return {
      algorithm: externalSigner(profile).algorithm,
      subject: profile.signer_subject,
      digests: asks.map(({ digest, data }) => ({
        digest: digest as DigestName,
        value: createHash(digest).update(data).digest('hex'),
      })),
    };
  });
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const field = (name: string, params: Readonly<Record<string, number>>) =>
  new Fault(name, { fields: { signatures: `fault.${name}` }, params: { ...params } });

/** Each is seen to be of its digest before any is kept. Faults: SIGNING_NOT_OUTSIDE, SIGNING_DELIVERED_*, SIGNING_PROFILE_CHANGED. */
export async function deliverSignatures(ctx: Ctx, id: number, text: string): Promise<void> {
  await ctx.inTx((own) => jobById(own, id));
  await ctx.unscoped(async (db) => {
    await sql`select from signing_job where id = ${id} for update`.execute(db);
    const job = await jobById(db, id);
    const asks = await openAsks(db, job);
    if (job.expires_at <= ctx.now()) throw fault('OVERTAKEN');
    const profile = await profileOfJob(db, job);
    if (!profile) throw new Fault('SIGNING_NOT_OUTSIDE');
    const lines = text.split('\n').flatMap((line) => line.trim() || []);
    if (lines.length !== asks.length) throw field('SIGNING_DELIVERED_COUNT', { count: asks.length });
    const { publicKey } = externalSigner(profile);
    for (const [at, ask] of asks.entries()) {
      const line = lines[at] ?? '';
      const signature = Buffer.from(BASE64.test(line) ? line : '', 'base64');
      if (!verify(ask.digest, ask.data, publicKey, signature)) throw field('SIGNING_DELIVERED_WRONG', { n: at + 1 });
      await db.updateTable('signing_ask').set({ signature }).where('id', '=', ask.id).execute();
    }
    const set = { delivered_by: ctx.actor.userName, delivered_at: ctx.now() };
    await move(db, jobRows, 'deliver', [id], { actorId: ctx.actor.userId, set });
    await ctx.enqueue(db, SIGN, { id });
    ctx.audit({ target: `signing of ${job.file_name}`, after: { delivered: id, signatures: asks.length, by: profile.name } });
    await ctx.invalidate(db, JOB_GROUP, job.dept_path);
  });
}
