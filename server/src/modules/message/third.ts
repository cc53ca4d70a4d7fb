import { Fault, fault } from '@mooring/contract/kit/fault';
import type { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { unhidden } from '../access/api.ts';
import { enqueueDelivery, type Target } from './notify.ts';

/** The people of these accounts, all of them inside the scope; nobody is told where one is unknown. */
async function peopleOf(ctx: Ctx, accounts: readonly string[]): Promise<number[]> {
  const wanted = [...new Set(accounts.map((one) => one.toLowerCase()))];
  const found = await ctx.db
    .selectFrom('account_user as u')
    .select(['u.id', 'u.account'])
    .where(sql<boolean>`lower(u.account) = any(${wanted}::text[])`)
    .where('u.state', '=', '0')
    .where((await unhidden(ctx)) ?? ((eb) => eb.lit(true)))
    .execute();
  const unknown = wanted.filter((one) => !found.some(({ account }) => account.toLowerCase() === one));
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).join(', ');
    throw new Fault('ACCOUNT_UNKNOWN', { params: { names }, fields: { accounts: 'fault.ACCOUNT_UNKNOWN' } });
  }
  return found.map(({ id }) => id);
}

/** Never wider than the scope: `deptIds` were resolved under the policy before. */
async function targetOf(ctx: Ctx, { accounts, deptIds }: { accounts: readonly string[]; deptIds: readonly number[] }): Promise<Target> {
  if (accounts.length > 0) return { users: await peopleOf(ctx, accounts) };
  if (deptIds.length === 0) return { below: [ctx.scope.path] };
  const depts = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', 'in', deptIds).execute();
  // Those above are seen too, and nobody speaks to them from below.
  if (depts.some((row) => !row.dept_path.startsWith(ctx.scope.path))) throw fault('NOT_FOUND');
  return { below: depts.map((row) => row.dept_path) };
}

/** In whose name a token speaks: its own. A person has one already. Faults: TOKEN_ONLY, TOKEN_NAME. */
function speakerOf({ actor }: Ctx, wanted: string | undefined): string {
  if (!actor.apiToken) throw new Fault('TOKEN_ONLY');
  const { name } = actor.apiToken;
  if (wanted !== undefined && wanted !== name) throw new Fault('TOKEN_NAME', { params: { name }, fields: { system: 'fault.TOKEN_NAME' } });
  return name;
}

/** Another system tells people something, in its own name. */
export const sendThird: Handler<typeof messageCalls.third> = async (ctx, input) => {
  const system = speakerOf(ctx, input.system);
  const target = await targetOf(ctx, input);
  const { id } = await ctx.db
    .insertInto('message_message')
    .values({
      type: '3',
      priority: input.priority,
      title: input.title,
      body: input.text,
      recipients: 'users' in target ? 'users' : input.deptIds.length > 0 ? 'organisation' : 'all',
      target: JSON.stringify(target),
      channels: [...new Set(['centre', ...input.channels])],
      sender_id: ctx.actor.userId,
      sender: system,
      dept_path: ctx.scope.path,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueueDelivery(ctx.db, id);
  ctx.audit({ target: `message ${input.title}`, after: { system, channels: input.channels } });
  return { id };
};
