import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { actorOf, areOneHand, weekBefore } from '../access/api.ts';
import { notify, withdrawNotifications } from '../message/api.ts';
import { dropBytes, JOB_GROUP, type JobRow, jobById, jobLink, jobRows, SIGN } from './job-rows.ts';
import { countUse, heldKeys } from './key.resource.ts';
import { checkHours } from './policy.ts';
import { profileOfJob } from './profile-rows.ts';
import { checkCertificate, checkSigner, type Parties, signerName, useOf } from './signer.ts';

async function lockJob(db: Db, id: number, states: readonly string[]): Promise<JobRow> {
  await sql`select from signing_job where id = ${id} for update`.execute(db);
  const job = await jobById(db, id);
  if (!states.includes(job.state)) throw fault('OVERTAKEN');
  return job;
}

/** Whether the person sees it is asked in a transaction of its own, which is over before the other one begins. */
async function ofJob(ctx: Ctx, id: number, work: (db: Db, job: JobRow) => Promise<void>, states = ['requested']): Promise<void> {
  await ctx.inTx((own) => jobById(own, id));
  await ctx.unscoped(async (db) => work(db, await lockJob(db, id, states)));
}

const forget = (ctx: Ctx, db: Db, id: number) =>
  withdrawNotifications(db, `${jobLink}?job=${id}`, (path) => ctx.invalidate(db, '/message', path));

/** What it was asked for: of one that nothing was signed for, all that its record has. */
const asked = ({ sha256_before, certificate_sha256 }: JobRow) => ({ sha256Before: sha256_before, certificateSha256: certificate_sha256 });

/** Its use of the key is counted here, so that of two at once no more are approved than the policy allows. */
export const approveSigning = (ctx: Ctx, id: number): Promise<void> =>
  ofJob(ctx, id, async (db, job) => {
    if (job.author_id === ctx.actor.userId) throw new Fault('CHANGE_OWN');
    if (job.expires_at <= ctx.now()) throw new Fault('CHANGE_EXPIRED');
    const author = job.author_id === null ? undefined : await actorOf(db, job.author_id);
    if (!author || !isAllowed(author.permissions, signingJobCalls.add.can)) throw new Fault('CHANGE_AUTHOR');
    if (await areOneHand(db, ctx.actor.userId, author.userId, weekBefore(job.created_at))) throw new Fault('CHANGE_ONE_HAND');
    const [key, oldest] = await heldKeys(db, job.key_id, job.oldest_key_id);
    const parties: Parties = { key, profile: await profileOfJob(db, job), oldest };
    checkSigner(parties, useOf(job), ctx.now());
    const keys = [key, oldest].filter((one) => one !== undefined);
    for (const one of keys) checkHours(one, ctx.now());
    checkCertificate(parties, job);
    for (const one of keys) await countUse(ctx, db, one.id, 1);
    const set = { decided_by_id: ctx.actor.userId, decided_by: ctx.actor.userName, decided_at: ctx.now() };
    await move(db, jobRows, 'approve', [id], { actorId: ctx.actor.userId, set });
    await ctx.enqueue(db, SIGN, { id });
    await forget(ctx, db, id);
    ctx.audit({
      target: `signing of ${job.file_name}`,
      after: { key: signerName(parties), author: job.author, sha256: job.sha256_before },
    });
    await ctx.invalidate(db, JOB_GROUP, job.dept_path);
  });

export const refuseSigning = (ctx: Ctx, id: number, remark: string): Promise<void> =>
  ofJob(ctx, id, async (db, job) => {
    if (job.author_id === ctx.actor.userId) throw new Fault('CHANGE_OWN');
    const set = { decided_by_id: ctx.actor.userId, decided_by: ctx.actor.userName, decided_at: ctx.now(), remark, keeps_before: false };
    await move(db, jobRows, 'refuse', [id], { actorId: ctx.actor.userId, set });
    await dropBytes(ctx, db, [job.sha256_before]);
    await forget(ctx, db, id);
    if (job.author_id !== null)
      await notify(db, {
        name: 'signingRefused',
        params: { decider: ctx.actor.userName, file: job.file_name, remark },
        to: { users: [job.author_id] },
        deptPath: job.dept_path,
        link: jobLink,
        channels: ['centre', 'email'],
      });
    ctx.audit({ target: `signing of ${job.file_name}`, after: { refused: id, author: job.author, remark, ...asked(job) } });
    await ctx.invalidate(db, JOB_GROUP, job.dept_path);
  });

export const withdrawSigning = (ctx: Ctx, id: number): Promise<void> =>
  ofJob(
    ctx,
    id,
    async (db, job) => {
      if (job.author_id !== ctx.actor.userId) throw fault('FORBIDDEN');
      await move(db, jobRows, 'withdraw', [id], { actorId: ctx.actor.userId, set: { keeps_before: false } });
      await dropBytes(ctx, db, [job.sha256_before]);
      await forget(ctx, db, id);
      ctx.audit({ target: `signing of ${job.file_name}`, after: { withdrawn: id, ...asked(job) } });
      await ctx.invalidate(db, JOB_GROUP, job.dept_path);
    },
    ['requested', 'waiting'],
  );
