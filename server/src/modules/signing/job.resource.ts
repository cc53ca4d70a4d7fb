import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { SigningJob, signingJobCalls } from '@mooring/contract/signing/job';
import { profileKinds } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Wire } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { ownUpload } from '../file/api.ts';
import { approveSigning, refuseSigning, withdrawSigning } from './decide-signing.ts';
import { jobById } from './job-rows.ts';
import { deliverSignatures, digestsOf } from './outside.ts';
import { outdatedBy } from './profile-rows.ts';
import { APK, requestSigning } from './request-signing.ts';

const asFile = (name: string) => ({
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  'cache-control': 'private, no-store',
});

/** The time-stamp token as it came, which `openssl ts -verify -token_in` reads. */
async function downloadStamp(ctx: Ctx, id: number, wire: Wire): Promise<unknown> {
  const job = await ctx.inTx((db) => jobById(db, id));
  if (job.author_id !== ctx.actor.userId || !job.stamp) throw new Fault('SIGNING_NO_STAMP');
  wire.reply.headers(asFile(`${job.result_name ?? job.file_name}.tst`));
  return job.stamp;
}

const isPackage = (job: { readonly profile: string; readonly package_name: string }): boolean =>
  job.profile === 'apk' && job.package_name !== '';

/** What was signed, for its requester alone: the one who agreed needs no copy. Fault: SIGNING_NO_FILE. */
async function signedOf(ctx: Ctx, id: number) {
  const job = await ctx.inTx((db) => jobById(db, id));
  if (job.author_id !== ctx.actor.userId || !job.sha256_after || !job.kept_until || job.kept_until <= ctx.now())
    throw new Fault('SIGNING_NO_FILE');
  return { job, sha256: job.sha256_after };
}

async function downloadSigned(ctx: Ctx, store: BlobStore, id: number, wire: Wire): Promise<unknown> {
  const { job, sha256 } = await signedOf(ctx, id);
  ctx.audit({ target: `signing of ${job.file_name}`, after: { sha256 } });
  // Sent when the audit row of it is committed.
  const bytes = await store.read(sha256);
  wire.reply.headers({ ...asFile(job.result_name ?? 'signed'), 'content-length': Number(job.result_size) });
  return bytes;
}

/** Whoever is to agree looks at it first; a token agrees to nothing. Faults: FORBIDDEN, CHANGE_OWN, SIGNING_NO_FILE. */
async function downloadSource(ctx: Ctx, store: BlobStore, id: number, wire: Wire): Promise<unknown> {
  if (ctx.actor.apiToken) throw fault('FORBIDDEN');
  const job = await ctx.inTx((db) => jobById(db, id));
  if (job.author_id === ctx.actor.userId) throw new Fault('CHANGE_OWN');
  if (hasNoSource(job, ctx)) throw new Fault('SIGNING_NO_FILE');
  ctx.audit({ target: `signing of ${job.file_name}`, after: { sha256: job.sha256_before } });
  const bytes = await store.read(job.sha256_before);
  wire.reply.headers({ ...asFile(job.file_name), 'content-length': Number(job.size) });
  return bytes;
}
const hasNoSource = (row: { readonly state: string; readonly expires_at: Date; readonly keeps_before: boolean }, ctx: Pick<Ctx, 'now'>) =>
  !(row.state === 'requested' && row.expires_at > ctx.now() && row.keeps_before) && 'SIGNING_NO_FILE';

const md5Of = async (store: BlobStore, sha256: string): Promise<string> => {
  const hash = createHash('md5');
  await pipeline(await store.read(sha256), hash);
  return hash.digest('hex');
};

/** Inside the file it was signed as the package that it is: it may be brought as one. */
async function reuseSigned(ctx: Ctx, store: BlobStore, id: number) {
  const { job, sha256 } = await signedOf(ctx, id);
  if (!isPackage(job)) throw new Fault('SIGNING_NO_FILE');
  const name = job.result_name ?? job.file_name;
  const md5 = await md5Of(store, sha256);
  ctx.audit({ target: `signing of ${job.file_name}`, after: { sha256 } });
  return ctx.inTx((db) => ownUpload(db, ctx, store, { kind: APK, name, size: Number(job.result_size), sha256, md5 }));
}

type Decided = 'source' | 'approve' | 'refuse' | 'withdraw' | 'download' | 'stamp' | 'reuse';
/** Who may do what with one besides its permission: nobody decides on their own, and nobody else has it. */
const isFor = (act: Decided, own: boolean) => own === ['withdraw', 'download', 'stamp', 'reuse'].includes(act);

const isGone = (row: { readonly kept_until: Date | null }, ctx: Pick<Ctx, 'now'>) =>
  !(row.kept_until && row.kept_until > ctx.now()) && 'SIGNING_NO_FILE';

export function signingJobs(app: AppContext, store: BlobStore): Resource<typeof SigningJob> {
  const refusal = (act: Decided) => (row: { author_id: number | null }, ctx: Ctx) =>
    !isFor(act, row.author_id === ctx.actor.userId) && 'CHANGE_OWN';
  const shown = (ctx: Ctx, id: number) => ctx.withScope((own) => jobs.read(own, id));
  const jobs: Resource<typeof SigningJob> = resource(SigningJob, signingJobCalls, {
    table: 'signing_job',
    target: (row) => `signing of ${row.file_name}`,
    joined: (query, ctx) =>
      query
        .leftJoin('signing_key as k', 'k.id', 't.key_id')
        .leftJoin('signing_key as e', 'e.id', 't.oldest_key_id')
        .leftJoin('signing_profile as s', 's.id', 't.profile_id')
        .select([
          'k.name as key_name',
          'e.name as oldest_key_name',
          outdatedBy('t').as('outdated'),
          sql<boolean>`coalesce(t.profile = 'apk' and k.certificate_sha256 = t.certificate_sha256 and k.not_after <= coalesce(t.signed_at, ${ctx.now()}), false)`.as(
            'certificate_over',
          ),
          sql<unknown>`(select coalesce(json_agg(p.name order by p.name), '[]') from product_product p where p.id = any(t.product_ids))`.as(
            'products',
          ),
          sql<number>`(select count(*)::int from unnest(t.product_ids) as o(id) where not exists (select from product_product p where p.id = o.id))`.as(
            'products_unseen',
          ),
        ]),
    cells: { products: (products) => products.join('; ') },
    acts: {
      source: signingJobCalls.source,
      download: signingJobCalls.download,
      stamp: signingJobCalls.stamp,
      reuse: signingJobCalls.reuse,
    },
    refuses: {
      approve: (row, ctx) => refusal('approve')(row, ctx) || (row.expires_at <= ctx.now() && 'CHANGE_EXPIRED'),
      refuse: refusal('refuse'),
      withdraw: refusal('withdraw'),
      source: (row, ctx) => refusal('source')(row, ctx) || hasNoSource(row, ctx),
      stamp: (row, ctx) => refusal('stamp')(row, ctx) || (!row.stamped_at && 'SIGNING_NO_STAMP'),
      download: (row, ctx) => refusal('download')(row, ctx) || isGone(row, ctx),
      reuse: (row, ctx) => refusal('reuse')(row, ctx) || isGone(row, ctx) || (!isPackage(row) && 'SIGNING_NO_FILE'),
    },
    // None is '' in the table.
    shown: (row) => ({ profileKind: profileKinds.find((one) => one === row.profile_kind) ?? null }),
    handlers: {
      add: async (ctx, input) => shown(ctx, await requestSigning(ctx, app, store, input)),
      approve: async (ctx, { id }) => {
        await approveSigning(ctx, id);
        return shown(ctx, id);
      },
      refuse: async (ctx, { id, remark }) => {
        await refuseSigning(ctx, id, remark);
        return shown(ctx, id);
      },
      withdraw: async (ctx, { id }) => {
        await withdrawSigning(ctx, id);
        return shown(ctx, id);
      },
      digests: (ctx, { id }) => digestsOf(ctx, id),
      deliver: async (ctx, { id, signatures }) => {
        await deliverSignatures(ctx, id, signatures);
        return shown(ctx, id);
      },
      reuse: (ctx, { id }) => reuseSigned(ctx, store, id),
      source: (ctx, { id }, wire) => downloadSource(ctx, store, id, wire) as never,
      download: (ctx, { id }, wire) => downloadSigned(ctx, store, id, wire) as never,
      stamp: (ctx, { id }, wire) => downloadStamp(ctx, id, wire) as never,
    },
  });
  return jobs;
}

/** Whether a job still needs these bytes: to be signed, to be downloaded, or to go to terminals beside what it signs. */
export const keepsSigned = async (db: Db, sha256: string): Promise<boolean> => {
  const { rows } = await sql`
    select from signing_job where sha256_before = ${sha256} and keeps_before
    union all select from signing_job where sha256_after = ${sha256} and (kept_until is not null or keeps_after) limit 1`.execute(db);
  return rows.length > 0;
};

/** Of others, in this scope. */
export const countJobs = async (_db: Db, ctx: Ctx): Promise<number> => {
  if (!isAllowed(ctx.actor.permissions, signingJobCalls.approve.can)) return 0;
  const { rows } = await ctx.inTx((db) =>
    sql<{ n: number }>`select count(*)::int as n from (select from signing_job where state = 'requested'
      and author_id is distinct from ${ctx.actor.userId} limit 1000) as found`.execute(db),
  );
  return rows[0]?.n ?? 0;
};
