import { z } from 'zod';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx } from '../../../platform/context.ts';
import { mail } from '../../../platform/mail/mail.ts';
import { type Job, job } from '../../../platform/module.ts';
import { ownerOf } from '../../account/api.ts';
import { CODE_MINUTES, makeCode } from '../codes.ts';
import { consumeProof, mailTask } from '../proof.ts';
import { countSending } from '../send-code.ts';
import { checkOpen } from './before-sign-in.ts';

const SEND = 'auth:register-code';
const WAIT_SECONDS = 60;

/** Whether anybody has the address is found out by a job, so that the answer takes the same time for everybody. */
export async function confirmEmail(app: AppContext, ctx: Ctx, input: { email: string; proof: string }): Promise<{ waitSeconds: number }> {
  await consumeProof(app, ctx, await mailTask(ctx, 'regist'), input.proof);
  await ctx.unscoped(async (db) => {
    await checkOpen(db);
    await countSending(db, input.email, ctx.ip, 'regist');
    await app.enqueue(db, SEND, { email: input.email, lang: ctx.lang });
  });
  return { waitSeconds: WAIT_SECONDS };
}

/** Running twice sends a second code, which makes the first worthless. */
export const registerCodeJob = (app: AppContext): Job =>
  job({
    name: SEND,
    payload: z.object({ email: z.string(), lang: z.string() }),
    run: (_ctx, { email, lang }) =>
      app.unscoped(async (db) => {
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
            params: { code: await makeCode(db, app.masterKey, 'regist', email), minutes: CODE_MINUTES },
            sealWith: app.masterKey,
          });
      }),
  });
