import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify, withdrawNotifications } from '../message/api.ts';
import { JOB_GROUP, type JobRow, SIGN } from './job-rows.ts';
import type { KeyRow } from './key.resource.ts';
import { outdatedBy } from './profile-rows.ts';
import { clearToken, leftOnToken } from './token-left.ts';
import type { Vault } from './vault/vault.ts';

const MOST = 500;
const STORE_GROUP = '/api/keystore/store';
const storeLink = (id: number) => `/keyStoreAdd?tab=keys&k.storeId=${id}`;

/** The job stays where it is, and says since when; people of the store's organisation hear of the first one. */
export const waitForToken = (ctx: Ctx, row: JobRow, key: KeyRow): Promise<void> =>
  ctx.unscoped(async (db) => {
    const waits = await db
      .updateTable('signing_job')
      .set({ waits_since: ctx.now(), waits_for: 'token' })
      .where('id', '=', row.id)
      .where('state', '=', 'signing')
      // One that waited for its time stamp may miss its token by now.
      .where('waits_for', 'is distinct from', 'token')
      .returning('id')
      .execute();
    if (waits.length === 0) return;
    await ctx.invalidate(db, JOB_GROUP, row.dept_path);
    const store = await db
      .updateTable('signing_store')
      .set({ token_away_since: ctx.now() })
      .where('id', '=', key.store_id)
      .where('token_away_since', 'is', null)
      .returning(['id', 'name', 'dept_path'])
      .executeTakeFirst();
    if (!store) return;
    await notify(db, {
      name: 'signingTokenAway',
      params: { store: store.name },
      to: { above: store.dept_path, can: 'signing:key:page', apart: store.dept_path },
      deptPath: store.dept_path,
      priority: '1',
      link: storeLink(store.id),
      channels: ['centre', 'email'],
    });
  });

/** The job stays where it is: the time-stamping service of its profile doesn't answer. */
export const waitForTime = (ctx: Ctx, row: JobRow): Promise<void> =>
  ctx.unscoped(async (db) => {
    await db
      .updateTable('signing_job')
      .set({ waits_since: (row.waits_for === 'time' && row.waits_since) || ctx.now(), waits_for: 'time' })
      .where('id', '=', row.id)
      .where('state', '=', 'signing')
      .execute();
    if (row.waits_for !== 'time') await ctx.invalidate(db, JOB_GROUP, row.dept_path);
  });

/** Each asks its service before anything is signed again. */
const forTime = (db: Db) =>
  db.selectFrom('signing_job').select('id').where('waits_since', 'is not', null).where('waits_for', '=', 'time').limit(MOST).execute();

/** What there is to do for the token. */
async function leftFor(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_left: boolean }>`
    select exists (select from signing_job where waits_since is not null and waits_for = 'token')
      or exists (select from signing_store where token_away_since is not null) as is_left`.execute(db);
  return rows[0]?.is_left ?? false;
}

/** Their key was stopped meanwhile, or what they were asked for under is another: they need the token no more. */
const ended = (db: Db) =>
  db
    .selectFrom('signing_job as j')
    .leftJoin('signing_key as k', 'k.id', 'j.key_id')
    .leftJoin('signing_profile as s', 's.id', 'j.profile_id')
    .select('j.id')
    .where('j.waits_since', 'is not', null)
    .leftJoin('signing_key as e', 'e.id', 'j.oldest_key_id')
    .where((eb) => eb.or([eb('k.state', '<>', 'active'), eb('e.state', '<>', 'active'), eb(outdatedBy('j'), 'is not', null)]))
    .limit(MOST)
    .execute();

/** A store's token signs again, or nothing waits for it: its people are told of the next absence. */
export async function tokenServes(ctx: Ctx, db: Db, which: RawBuilder<boolean>): Promise<void> {
  const stores = await db
    .updateTable('signing_store')
    .set({ token_away_since: null })
    .where('token_away_since', 'is not', null)
    .where(which)
    .returning(['id', 'dept_path'])
    .execute();
  for (const { id } of stores) await withdrawNotifications(db, storeLink(id), (path) => ctx.invalidate(db, '/message', path));
  for (const path of new Set(stores.map((one) => one.dept_path))) await ctx.invalidate(db, STORE_GROUP, path);
}

/** One that comes back sooner was no absence that a job is forgiven: else a token that answers and doesn't sign would keep it for ever. */
const ABSENCE_MS = 3_600_000;

/** The token is there again: what waited goes on. That it serves is said once it has signed. */
async function goOn(ctx: Ctx, db: Db): Promise<void> {
  const now = ctx.now();
  const jobs = await db
    .updateTable('signing_job')
    .set((eb) => ({
      waits_since: null,
      waits_for: null,
      resumed_at: eb
        .case()
        .when('waits_since', '<', new Date(now.getTime() - ABSENCE_MS))
        .then(now)
        .else(eb.ref('resumed_at'))
        .end(),
    }))
    .where('id', 'in', (eb) =>
      eb.selectFrom('signing_job').select('id').where('waits_since', 'is not', null).where('waits_for', '=', 'token').limit(MOST),
    )
    .returning(['id', 'dept_path'])
    .execute();
  for (const { id } of jobs) await ctx.enqueue(db, SIGN, { id });
  for (const path of new Set(jobs.map((one) => one.dept_path))) await ctx.invalidate(db, JOB_GROUP, path);
  await tokenServes(
    ctx,
    db,
    sql<boolean>`not exists (select from signing_job j join signing_key k on k.id in (j.key_id, j.oldest_key_id) where k.store_id = signing_store.id and j.state in ('approved', 'signing'))`,
  );
}

/**
 * Each minute, where something waits. Running again finds nothing more: what goes on is noted in the same transaction, and an object that is gone
 * already is destroyed as well. A server without a token leaves all of it to one that has it.
 */
export const followToken = (vault: Vault) =>
  job({
    name: 'signing:token',
    payload: z.object({}),
    every: '* * * * *',
    run: async (ctx) => {
      const again = [...(await ctx.unscoped(ended)), ...(await ctx.unscoped(forTime))];
      for (const { id } of again) await ctx.unscoped((db) => ctx.enqueue(db, SIGN, { id }));
      if (!vault.token.isSet) return;
      const isLeft = await ctx.unscoped(leftFor);
      const left = await leftOnToken(ctx);
      if (!isLeft && left.keys.length === 0 && left.makings.length === 0) return;
      if ((await vault.token.state()).state !== 'there') return;
      // First of all: whatever is left on the token, and whatever becomes of it, no signature waits for that.
      if (isLeft) await ctx.unscoped((db) => goOn(ctx, db));
      await clearToken(ctx, vault, left);
    },
  });
