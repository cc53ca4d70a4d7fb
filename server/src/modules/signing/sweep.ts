import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { dropBytes, JOB_GROUP, jobLink, jobRows, SIGN } from './job-rows.ts';
import { clearLeft } from './local-file.ts';
import { recordEnd } from './record-end.ts';
import { fail } from './run-signing.ts';
import { warnOfKeys, warnOfProfiles } from './warn-of-ends.ts';

const DAY = 86_400_000;
const MOST = 500;
const LOST_MS = 3_600_000;
const GIVEN_UP_DAYS = 3;
/** Of one that waits for its token or its time stamp: so long a repair, or a new one, may take. */
const AWAY_DAYS = 30;

const awayFaults: Readonly<Record<string, string>> = { token: 'KEY_TOKEN_AWAY', time: 'SIGNING_TIME_AWAY' };
const reasonOf = (waitsFor: string | null): string => awayFaults[waitsFor ?? ''] ?? 'SIGNING_FAILED';

/** Nobody decided, or nobody fetched it in time. */
async function endJobs(ctx: Ctx, db: Db): Promise<void> {
  const gone = await move(db, jobRows, 'expire', sql`expires_at <= ${ctx.now()}::timestamptz`, { set: { keeps_before: false } });
  await sql`delete from signing_ask a using signing_job j where j.id = a.job_id and not j.keeps_before`.execute(db);
  await db.deleteFrom('signing_export').where('expires_at', '<=', ctx.now()).execute();
  const late = await db
    .updateTable('signing_job')
    .set({ kept_until: null })
    .where('kept_until', '<=', ctx.now())
    .returning(['sha256_after', 'dept_path'])
    .execute();
  const ids = gone.map(({ id }) => id);
  const over = ids.length === 0 ? [] : await db.selectFrom('signing_job').selectAll().where('id', 'in', ids).execute();
  for (const row of over) {
    await recordEnd(db, row.id);
    if (row.author_id === null) continue;
    await notify(db, {
      name: row.asked_at === null ? 'signingUndecided' : 'signingUndelivered',
      params: { file: row.file_name },
      to: { users: [row.author_id] },
      deptPath: row.dept_path,
      link: `${jobLink}?job=${row.id}`,
      channels: ['centre', 'email'],
    });
  }
  await dropBytes(ctx, db, [...over.map((one) => one.sha256_before), ...late.flatMap((one) => one.sha256_after ?? [])]);
  for (const path of new Set([...over, ...late].map((one) => one.dept_path))) await ctx.invalidate(db, JOB_GROUP, path);
}

/** What was signed elsewhere goes on from when it came; what waited for its token from when that came back. */
const begunAt = sql<Date>`greatest(resumed_at, delivered_at, decided_at)`;

/** Approved, and neither signed nor failed since: what signs it was lost. It is begun again, and given up after some days. */
async function takeUpJobs(ctx: Ctx): Promise<void> {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  const left = await ctx.unscoped((db) =>
    db
      .selectFrom('signing_job')
      .selectAll()
      .select(begunAt.as('begun'))
      .where('state', 'in', ['approved', 'signing'])
      .where(begunAt, '<', before(LOST_MS))
      .where((eb) => eb.or([eb('waits_since', 'is', null), eb(begunAt, '<', before(AWAY_DAYS * DAY))]))
      .orderBy('decided_at')
      .limit(MOST)
      .execute(),
  );
  for (const row of left) {
    if (row.begun < before(GIVEN_UP_DAYS * DAY)) await fail(ctx, row, reasonOf(row.waits_for));
    else await ctx.unscoped((db) => ctx.enqueue(db, SIGN, { id: row.id }));
  }
}

/** Hourly. Running again finds nothing more: what is over, and who was told, is noted in the same transaction. */
export const sweepSigning = (app: Pick<AppContext, 'config'>) =>
  job({
    name: 'signing:sweep',
    payload: z.object({}),
    every: '23 * * * *',
    run: async (ctx) => {
      await ctx.unscoped(async (db) => {
        await endJobs(ctx, db);
        await warnOfKeys(ctx, db);
        await warnOfProfiles(ctx, db);
      });
      await takeUpJobs(ctx);
      await clearLeft(app, ctx.now());
    },
  });
