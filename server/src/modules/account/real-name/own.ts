import type { RealName } from '@mooring/contract/account/real-name-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { checkedOf, handedOf, picturesOf, realNameOf, requestsOf } from './real-name.queries.ts';

/** What may be handed in from a state: nothing while something waits. */
export function kindsFrom(state: string, isManager: boolean): ('person' | 'org')[] {
  const org = isManager ? (['org'] as const) : [];
  if (state === '3' || state === '6' || state === '2') return [];
  return state === '1' ? [...org] : ['person', ...org];
}

/** An organisation's manager speaks for it; the platform itself is nobody's to speak for. */
export async function isOrgManager(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('account_user').select(['user_type', 'dept_id']).where('id', '=', userId).executeTakeFirst();
  return row?.user_type === '1' && row.dept_id !== 1;
}

async function read(db: Db, userId: number): Promise<z.input<typeof RealName>> {
  const row = await realNameOf(db, userId);
  const request = await requestsOf(db, userId);
  const { rows } = await sql<{ good: boolean; withheld: string[] }>`
    select has_real_name(${userId}) as good, withheld_from(${userId}) as withheld`.execute(db);
  const state = row?.state ?? '0';
  return {
    state,
    checked: checkedOf(row),
    request: request ? { ...handedOf(request), pictures: await picturesOf(db, request.id) } : null,
    may: kindsFrom(state, await isOrgManager(db, userId)),
    authenticated: rows[0]?.good ?? false,
    withheld: rows[0]?.withheld ?? [],
  };
}

// Past the range policy: these tables are closed to the bound role, and this is one's own row.
export const ownRealName = (ctx: Ctx) => ctx.unscoped((db) => read(db, ctx.actor.userId));
