import { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import type { House } from '../../../platform/house.ts';
import { mail } from '../../../platform/mail/mail.ts';
import { type Job, job } from '../../../platform/module.ts';
import { ownerOf } from '../../account/api.ts';
import { CODE_MINUTES, makeCode } from '../codes.ts';
import { mailTask, takeProof } from '../proof.ts';
import { countSending } from '../send-code.ts';
import { checkOpen } from './door.ts';

const SEND = 'auth:register-code';
const WAIT_SECONDS = 60;

/** Whether anybody has the address is found out by a job, so that the answer takes the same time for everybody. */
export async function confirmEmail(house: House, ctx: Ctx, input: { email: string; proof: string }): Promise<{ waitSeconds: number }> {
  await takeProof(house, ctx, await mailTask(ctx, 'regist'), input.proof);
  await ctx.unscoped(async (db) => {
    await checkOpen(db);
    await countSending(db, input.email, ctx.ip);
    await house.enqueue(db, SEND, { email: input.email, lang: ctx.lang });
  });
  return { waitSeconds: WAIT_SECONDS };
}

/** Running twice sends a second code, which makes the first worthless. */
export const registerCodeJob = (house: House): Job =>
  job({
    name: SEND,
    payload: z.object({ email: z.string(), lang: z.string() }),
    run: (_ctx, { email, lang }) =>
      house.unscoped(async (db) => {
        const owner = await ownerOf(db, email);
        if (owner)
          await mail(db, {
            to: email,
            lang: owner.language ?? lang,
            template: 'regKnown',
            params: { account: owner.account },
            deptPath: owner.dept_path,
            userId: owner.id,
          });
        else
          await mail(db, {
            to: email,
            lang,
            template: 'regCode',
            params: { code: await makeCode(db, house.masterKey, 'regist', email), minutes: CODE_MINUTES },
            sealWith: house.masterKey,
          });
      }),
  });
