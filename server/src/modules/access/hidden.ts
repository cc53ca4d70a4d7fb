import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { type Held, heldNow, isAdministrator } from './held.ts';

/** Roles of category 1 and 2 and who holds them are nobody's business but the administrators' (design 2). Of `account_user u`. */
export const hiddenHolder = sql<boolean>`exists (select from access_user_role hr join access_role h on h.id = hr.role_id where hr.user_id = u.id and h.category in ('1', '2'))`;

/** Whom the actor sees: everybody but those, themselves always. Each list that names people asks it. */
export async function unhidden(ctx: Ctx): Promise<RawBuilder<boolean> | undefined> {
  return unhiddenFor(ctx, await heldNow(ctx));
}
export const unhiddenFor = ({ actor }: Pick<Ctx, 'actor'>, held: Held): RawBuilder<boolean> | undefined =>
  isAdministrator(held) ? undefined : sql<boolean>`(u.id = ${actor.userId} or not ${hiddenHolder})`;

/** One of them by id: not there for whoever may not see them. */
export async function checkSeen(ctx: Ctx, userId: number): Promise<void> {
  const seen = await unhidden(ctx);
  if (!seen) return;
  const { rows } = await ctx.readOnly((db) => sql`select from account_user u where u.id = ${userId} and ${seen}`.execute(db));
  if (rows.length === 0) throw fault('NOT_FOUND');
}
