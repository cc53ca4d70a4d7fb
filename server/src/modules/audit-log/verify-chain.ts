import type { logCalls } from '@mooring/contract/audit-log/calls';
import type { Bad } from '@mooring/contract/audit-log/proof';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { type Handler, job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { addBackgroundJob, endBackgroundJob, startBackgroundJob } from '../../platform/work/work.ts';
import { notify } from '../message/api.ts';
import { checkLog } from './proof.ts';

const JOB = 'audit:verify';

export const startVerify: Handler<typeof logCalls.verify> = async (ctx) => {
  const work = await addBackgroundJob(ctx, { kind: 'verify', name: t(ctx.lang, 'log.verify.work'), params: {} });
  await ctx.enqueue(ctx.db, JOB, { work }, { key: `work:${work}`, maxAttempts: 3 });
  return { work };
};

const placeOf = ({ from, to }: Bad) => (from === to ? String(from) : `${from}–${to}`);

/** Follows the chain from its first link. Running again begins anew and changes nothing. */
async function verify(ctx: Ctx, app: AppContext, work: number): Promise<void> {
  if (!(await startBackgroundJob(ctx, work))) return;
  // The chain spans all organisations; the permission to verify it belongs to the platform alone.
  const { rows, bad } = await checkLog(app);
  const [first] = bad;
  await ctx.inTx(async (db) => {
    if (!first) return endBackgroundJob(ctx, db, work, 'finish', { done: rows, total: rows });
    const failures = bad.map((one) => ({
      id: one.fromId ?? Math.max(one.from, 1),
      label: placeOf(one),
      fault: `CHAIN_${one.kind.toUpperCase()}`,
    }));
    await endBackgroundJob(ctx, db, work, 'fail', { reason: 'CHAIN_BROKEN', failures: JSON.stringify(failures), failed: failures.length });
    return notify(db, {
      name: 'chainBroken',
      params: { row: first.from },
      to: { above: '1.', can: 'audit:log:verify' },
      deptPath: '1.',
      priority: '1',
      link: '/sys/log',
      channels: ['centre', 'popup'],
      alarm: true,
    });
  });
}

export const verifyJob = (app: AppContext) =>
  job({ name: JOB, payload: z.object({ work: z.int() }), run: (ctx, { work }) => verify(ctx, app, work) });
