import { eachMenu } from '@mooring/contract/access/menus';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

const nodes = eachMenu().filter((node) => node.type !== 1);
const platforms: readonly Platform[] = ['centre', 'manager'];
const on = (platform: string, what: string) => `${platform}:${what}`;
const EVERYTHING = '*';
/** Stands for working on a platform at all. */
const PRESENCE = '';

/** What somebody holds, platform by platform: a menu on one says nothing about the same menu on the other. */
export type Held = ReadonlySet<string>;
export interface Rights {
  readonly platforms: readonly string[];
  readonly menus: readonly string[];
}

/** What roles hold together. */
export function rightsIn(roles: readonly Rights[]): Held {
  const held = new Set<string>();
  for (const role of roles)
    for (const platform of platforms.filter((one) => role.platforms.includes(one))) {
      const everything = role.menus.includes(EVERYTHING);
      held.add(on(platform, PRESENCE));
      if (everything) held.add(on(platform, EVERYTHING));
      for (const node of nodes)
        if (node.platforms.includes(platform) && (everything || role.menus.includes(node.code))) held.add(on(platform, node.code));
    }
  return held;
}

/** Nobody gives, and nobody reaches, what they don't hold themselves. */
export const covers = (held: Held, wanted: Held): boolean => [...wanted].every((one) => held.has(one));
export const onPlatform = (held: Held, platform: Platform): Held => new Set([...held].filter((one) => one.startsWith(on(platform, ''))));
export const isAdministrator = (held: Held): boolean => platforms.every((platform) => held.has(on(platform, EVERYTHING)));
export const worksOn = (held: Held, platform: string): boolean => held.has(on(platform, PRESENCE));
export const holdsOn = (held: Held, platform: string, code: string): boolean => held.has(on(platform, code));

/** The rights of several people at once, over all of their roles. */
export async function heldBy(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Held>> {
  const { rows } = await sql<{ user_id: number; roles: Rights[] }>`
    select ur.user_id, jsonb_agg(jsonb_build_object('platforms', r.platforms, 'menus', r.menus)) as roles
    from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = any(${[...userIds]}::bigint[]) group by 1`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.user_id, rightsIn(row.roles)]));
}

/** Without the menus of which a permission is kept back. */
function narrowed(held: Held, may: (platform: Platform, perm: string) => boolean): Held {
  const kept = new Set(held);
  for (const platform of platforms)
    for (const node of nodes)
      if (kept.has(on(platform, node.code)) && !node.perms.every((perm) => may(platform, perm))) {
        kept.delete(on(platform, node.code));
        kept.delete(on(platform, EVERYTHING));
      }
  return kept;
}

/** What somebody may hand on: all they hold, but what is withheld from them; nothing once they may no longer act. Asked past the range policy. */
export async function heldOf(db: Db, userId: number): Promise<Held> {
  const { rows } = await sql<{ withheld: string[] }>`
    select withheld_from(id) as withheld from account_user where id = ${userId} and state = '0' and is_dept_open(dept_path)`.execute(db);
  const withheld = rows[0]?.withheld;
  if (!withheld) return new Set();
  const held = (await heldBy(db, [userId])).get(userId) ?? new Set();
  return withheld.length === 0 ? held : narrowed(held, (_platform, perm) => !withheld.includes(perm));
}

/** What the actor may hand on just now: through an API token what its scopes leave, on its platform alone. */
export async function heldNow(ctx: Pick<Ctx, 'actor' | 'scope' | 'readOnly'>): Promise<Held> {
  const { actor, scope } = ctx;
  const held = await ctx.readOnly((db) => heldOf(db, actor.userId));
  if (!actor.apiToken) return held;
  const left = narrowed(held, (platform, perm) => platform === scope.platform && actor.permissions.has(perm));
  const elsewhere = platforms.filter((platform) => platform !== scope.platform).map((platform) => on(platform, PRESENCE));
  return new Set([...left].filter((one) => !elsewhere.includes(one)));
}
