import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { isHandOf } from '../access/api.ts';
import { authorsOf, type Written } from './version-rows.ts';

/** Who brought it, or wrote what it says, doesn't judge it. */
export const isAuthor = (ctx: Pick<Ctx, 'actor'>, row: Written): boolean => authorsOf(row).includes(ctx.actor.userId);

/** With dual control, whoever has an author's account in their hands neither tries nor approves what was handed in from it. Fault: CHANGE_ONE_HAND. */
export async function checkHands(ctx: Ctx, row: Written & { readonly submitted_at: Date | null }): Promise<void> {
  const now = ctx.now();
  const at = { handedIn: row.submitted_at ?? now, now };
  if (await ctx.readOnly((db) => isHandOf(db, ctx.actor.userId, authorsOf(row), at))) throw new Fault('CHANGE_ONE_HAND');
}
