import type { logCalls } from '@mooring/contract/audit-log/calls';
import { z } from 'zod';
import { firstBrokenLink } from '../../platform/audit/seal-chain.ts';
import type { Ctx } from '../../platform/context.ts';
import { type Handler, job } from '../../platform/module.ts';
import { say } from '../../platform/texts/say.ts';
import { addWork, endWork, startWork } from '../../platform/work/work.ts';
import { raise } from '../message/api.ts';

const JOB = 'audit:verify';

export const startVerify: Handler<typeof logCalls.verify> = async (ctx) => {
  const work = await addWork(ctx, { kind: 'verify', name: say(ctx.lang, 'log.verify.work'), params: {} });
  await ctx.enqueue(ctx.db, JOB, { work }, { key: `work:${work}`, maxAttempts: 3 });
  return { work };
};

/** Follows the chain from its first link. Running again begins anew and changes nothing. */
async function verify(ctx: Ctx, work: number): Promise<void> {
  if (!(await startWork(ctx, work))) return;
  // The chain spans all organisations; the permission to verify it belongs to the platform alone.
  const broken = await ctx.unscoped((db) => firstBrokenLink(db));
  await ctx.inTx(async (db) => {
    if (broken === undefined) return endWork(ctx, db, work, 'finish');
    const failures = JSON.stringify([{ id: broken, label: String(broken), fault: 'CHAIN_BROKEN' }]);
    await endWork(ctx, db, work, 'fail', { reason: 'CHAIN_BROKEN', failures });
    return raise(db, {
      say: 'chainBroken',
      params: { row: broken },
      to: { above: '1.', can: 'audit:log:verify' },
      deptPath: '1.',
      priority: '1',
      link: '/sys/log',
      channels: ['centre', 'popup'],
      alarm: true,
    });
  });
}

export const verifyJob = job({ name: JOB, payload: z.object({ work: z.int() }), run: (ctx, { work }) => verify(ctx, work) });
