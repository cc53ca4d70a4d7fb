import type { memberCalls } from '@mooring/contract/account/member-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { type Handler, type Job, job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { addBackgroundJob, endBackgroundJob, isWanted, startBackgroundJob } from '../../platform/work/work.ts';
import { heldNow } from '../access/api.ts';
import { hashPassword } from '../auth/api.ts';
import { oneTimePassword } from './first-administrator.ts';
import { mayOnMembers } from './member.queries.ts';
import { readMembers } from './member-sheet.ts';
import { checkPlacing, insertMember, mailPassword } from './member-write.ts';

const JOB = 'account:import';
const SHOWN = 200;

/** Wrong rows are named and nothing is taken; without any it goes on in the background. */
export const importMembers =
  (store: BlobStore): Handler<typeof memberCalls.import> =>
  async (ctx, { file, preview }) => {
    const { count, wrong } = await readMembers(ctx, store, file);
    const answer = { rows: count, wrong: wrong.slice(0, SHOWN), work: null as number | null };
    if (preview || wrong.length > 0 || count === 0) return answer;
    answer.work = await ctx.withScope(async (inner) => {
      const work = await addBackgroundJob(inner, {
        kind: 'import',
        name: t(ctx.lang, 'work.import.member'),
        params: { file },
        total: count,
      });
      await inner.enqueue(inner.db, JOB, { work, file }, { key: `work:${work}`, maxAttempts: 3 });
      return work;
    });
    ctx.audit({ target: `import: ${count} people` });
    return answer;
  };

/** All in one transaction after the passwords were made; twice is harmless, since the second finds the accounts taken. */
async function carryOut(ctx: Ctx, store: BlobStore, sealWith: MasterKey, work: number, file: number): Promise<void> {
  if (!(await startBackgroundJob(ctx, work))) return;
  try {
    if (!mayOnMembers(ctx, 'add')) throw fault('FORBIDDEN');
    const { rows, wrong } = await readMembers(ctx, store, file);
    if (wrong.length > 0) throw new Fault(wrong[0]?.fault ?? 'BAD_INPUT');
    const made: { password: string; hash: string }[] = [];
    for (const [at] of rows.entries()) {
      const password = oneTimePassword();
      made.push({ password, hash: await hashPassword(password) });
      if (!(await ctx.inTx((db) => isWanted(db, work, at, null)))) return;
    }
    await ctx.inTx(async (db) => {
      const held = await heldNow(ctx);
      for (const [at, row] of rows.entries()) {
        const { password = '', hash = '' } = made[at] ?? {};
        const place = await checkPlacing(ctx, db, held, row);
        const id = await insertMember(ctx, db, { ...row, managedDeptIds: [], hash }, place, 'import');
        await mailPassword(
          db,
          sealWith,
          { id, account: row.account, email: row.email, dept_path: place.path, language: null },
          password,
          ctx.lang,
        );
      }
      await ctx.invalidate(db, '/sys/user/member');
      await isWanted(db, work, rows.length, null);
      await endBackgroundJob(ctx, db, work, 'finish');
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason: error.fault }));
  }
}

export const importJob = (store: BlobStore, sealWith: MasterKey): Job =>
  job({
    name: JOB,
    payload: z.object({ work: z.int(), file: z.int() }),
    run: (ctx, { work, file }) => carryOut(ctx, store, sealWith, work, file),
  });
