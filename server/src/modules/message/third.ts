import { Fault } from '@mooring/contract/kit/fault';
import type { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { unhidden } from '../access/api.ts';
import { send } from './send-message.ts';

/** The people of these accounts, all of them inside the scope; nobody is told where one is unknown. */
async function peopleOf(ctx: Ctx, accounts: readonly string[]): Promise<number[]> {
  if (accounts.length === 0) return [];
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
  const { accounts, deptIds, title, channels } = input;
  const recipients = accounts.length > 0 ? 'users' : deptIds.length > 0 ? 'organisation' : 'all';
  const made = await send(ctx, { ...input, recipients }, await peopleOf(ctx, accounts), { type: '3', sender: system });
  ctx.audit({ target: `message ${title}`, after: { system, channels } });
  return made;
};
