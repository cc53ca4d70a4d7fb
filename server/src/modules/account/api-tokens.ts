import { createHash, randomBytes } from 'node:crypto';
import type { TokenBrief } from '@mooring/contract/account/token-brief';
import { type ApiToken, TOKENS_PER_PERSON, tokenAdminCalls, type tokenCalls } from '@mooring/contract/account/token-calls';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, valuesOf } from '../../platform/db/criteria.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { page } from '../../platform/db/page.ts';
import { TOKEN_PREFIX } from '../../platform/http/authenticator.ts';
import type { Handler } from '../../platform/module.ts';
import { notifyWayIn } from './notify-way-in.ts';
import { platformsFor } from './token-platforms.ts';

export const apiTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Every token ends: one of before that had no end, a year after it was made. */
export const tokenEnd = sql<Date>`coalesce(t.expires_at, t.created_at + interval '1 year')`;
const state = sql<
  'valid' | 'expired' | 'revoked'
>`case when t.revoked_at is not null then 'revoked' when ${tokenEnd} <= now() then 'expired' else 'valid' end`;
const select = (db: Db) =>
  db
    .selectFrom('account_api_token as t')
    .innerJoin('account_user as u', 'u.id', 't.user_id')
    .leftJoin('org_dept as o', 'o.id', 't.only_dept_id')
    .select(['t.id', 't.name', 't.hint', 't.user_id', 't.platform', 't.scopes', 't.addresses', 't.per_minute', 't.last_used_at'])
    .select(tokenEnd.as('expires_at'))
    .select(['t.last_ip', 't.created_at', 'u.name as owner', 'o.name as only_dept', state.as('state')]);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
const tokenOf =
  (mayRevoke: (row: Row) => boolean) =>
  (row: Row): z.input<typeof ApiToken> => ({
    id: row.id,
    name: row.name,
    hint: row.hint,
    owner: row.owner,
    platform: row.platform as 'centre',
    scopes: row.scopes,
    addresses: row.addresses,
    onlyDept: row.only_dept,
    perMinute: row.per_minute,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastIp: row.last_ip,
    createdAt: row.created_at,
    state: row.state,
    ...allowing(row.state === 'valid' && mayRevoke(row) ? ['revoke'] : []),
  });

type Criteria = {
  text?: string | undefined;
  state?: 'valid' | 'expired' | 'revoked' | { in: ('valid' | 'expired' | 'revoked')[] } | undefined;
  scope?: string | { in: string[] } | undefined;
};
function conditions(criteria: Criteria) {
  const states = valuesOf(criteria.state);
  const scopes = valuesOf(criteria.scope);
  return all(
    containsWords(['t.name', 'u.name'], criteria.text),
    states && sql<boolean>`${state} = any(${states}::text[])`,
    scopes && sql<boolean>`t.scopes && ${scopes}::text[]`,
  );
}
const options = { sorts: { createdAt: 't.created_at' }, id: 't.id' } as const;

/** One's own, wherever one acts at the moment: read past the range policy, by user id. */
export const pageOwnTokens: Handler<typeof tokenCalls.page> = (ctx, { criteria, page: wanted }) =>
  ctx.unscoped((db) =>
    page(db, select(db).where('t.user_id', '=', ctx.actor.userId).where(conditions(criteria)), {
      page: wanted,
      ...options,
      map: tokenOf(() => true),
    }),
  );

export const pageTokens: Handler<typeof tokenAdminCalls.page> = (ctx, { criteria, page: wanted }) =>
  page(ctx.db, select(ctx.db).where(conditions(criteria)), {
    page: wanted,
    ...options,
    map: tokenOf(() => isAllowed(ctx.actor.permissions, tokenAdminCalls.revoke.can)),
  });

export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly deptPath: string;
  readonly platforms: readonly Platform[];
  readonly scopes: readonly string[];
  readonly addresses: readonly string[];
  readonly perMinute: number;
  readonly days: number;
  /** The only organisation that it acts for. */
  readonly onlyDeptId?: number | undefined;
  readonly now: Date;
}

/** @throws TOKEN_LIMIT */
export async function insertToken(db: Db, wanted: NewToken): Promise<{ token: string; id: number }> {
  await lockSet(db, `tokens:${wanted.userId}`);
  const { rows } = await sql`select from account_api_token t where t.user_id = ${wanted.userId} and t.revoked_at is null
    and ${tokenEnd} > now() limit ${TOKENS_PER_PERSON}`.execute(db);
  if (rows.length >= TOKENS_PER_PERSON) throw new Fault('TOKEN_LIMIT');
  const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
  const { id } = await db
    .insertInto('account_api_token')
    .values({
      name: wanted.name,
      token_hash: apiTokenHash(token),
      hint: token.slice(0, 10),
      user_id: wanted.userId,
      dept_path: wanted.deptPath,
      platform: wanted.platforms[0] ?? 'centre',
      platforms: [...wanted.platforms],
      scopes: [...new Set(wanted.scopes)],
      addresses: [...wanted.addresses],
      per_minute: wanted.perMinute,
      only_dept_id: wanted.onlyDeptId ?? null,
      expires_at: new Date(wanted.now.getTime() + wanted.days * 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token, id };
}

/** The token is random and shown once; it holds at most what its person holds now, on this platform, or on both where its scopes need both. */
export const addToken: Handler<typeof tokenCalls.add> = (ctx, input) => {
  return ctx.unscoped(async (db) => {
    // What is withheld from a person whose name isn't checked is no right, wherever they hold it.
    const onlyThere = input.scopes.filter((scope) => !ctx.actor.permissions.has(scope));
    const platforms =
      onlyThere.length === 0 ? [ctx.scope.platform] : await platformsFor(db, ctx.actor.userId, input.scopes, ctx.scope.platform);
    const { token, id } = await insertToken(db, {
      ...input,
      userId: ctx.actor.userId,
      deptPath: ctx.actor.deptPath,
      platforms,
      onlyDeptId: input.onlyHere ? ctx.scope.deptId : undefined,
      now: ctx.now(),
    });
    await notifyWayIn(db, ctx, 'added', 'token', input.name);
    ctx.audit({
      target: `token ${input.name}`,
      after: { scopes: input.scopes, addresses: input.addresses, days: input.days, onlyHere: input.onlyHere },
    });
    return { token, row: tokenOf(() => true)(await select(db).where('t.id', '=', id).executeTakeFirstOrThrow()) };
  });
};

/** By whoever reviews what it may do. */
export const withdrawToken = (db: Db, id: number, at: Date) =>
  db.updateTable('account_api_token').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute();

/** Those of a person that work just now. */
export async function tokensOf(db: Db, userId: number): Promise<z.input<typeof TokenBrief>[]> {
  const rows = await select(db).where('t.user_id', '=', userId).where(sql<boolean>`${state} = 'valid'`).orderBy('t.name').execute();
  return rows.map((row) => ({ id: row.id, name: row.name, hint: row.hint, expiresAt: row.expires_at, lastUsedAt: row.last_used_at }));
}

/** All of a person's, where whoever changes their password or shuts them out wants it. Answers their names, for the log. */
export async function endTokensOf(db: Db, userId: number, choice: 'keep' | 'revoke', at: Date): Promise<string[]> {
  if (choice === 'keep') return [];
  const rows = await db
    .updateTable('account_api_token')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('name')
    .execute();
  return rows.map((row) => row.name);
}

async function revoke(ctx: Ctx, db: Db, id: number, mine: boolean): Promise<null> {
  let query = db.updateTable('account_api_token').set({ revoked_at: ctx.now() }).where('id', '=', id).where('revoked_at', 'is', null);
  if (mine) query = query.where('user_id', '=', ctx.actor.userId);
  const row = await query.returning('name').executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  ctx.audit({ target: `token ${row.name}` });
  return null;
}
export const revokeOwnToken: Handler<typeof tokenCalls.revoke> = (ctx, { id }) => ctx.unscoped((db) => revoke(ctx, db, id, true));
export const revokeToken: Handler<typeof tokenAdminCalls.revoke> = (ctx, { id }) => revoke(ctx, ctx.db, id, false);
