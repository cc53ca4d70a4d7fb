import { isDeepStrictEqual } from 'node:util';
import type { Call } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { keyChangeCalls, type profileChanges } from '@mooring/contract/signing/change-calls';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Route, Wire } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { applyOrHold } from '../settings/api.ts';
import { namesOf } from './change-policy.ts';
import { described, profileAsItStands, type Standing, trustsTheSame } from './described-profile.ts';
import { keepProfilePlaces } from './kept-profiles.ts';
import { PROFILE_GROUP } from './profile-rows.ts';

const targets = new Map<unknown, (typeof profileChanges)[number]>([
  [signingProfileCalls.add, 'profileAdd'],
  [signingProfileCalls.update, 'profileUpdate'],
  [signingProfileCalls.delete, 'profileDelete'],
]);
type Handler = Route['handler'];
interface Input {
  readonly id?: number;
  readonly name?: string;
  readonly productIds?: readonly number[];
}

/** What it would bring. It is thrown, so that nothing of it stays. */
class Tried extends Error {
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
  readonly productNames: Readonly<Record<string, string>>;

  constructor(before: Standing | undefined, after: Standing | undefined, productNames: Readonly<Record<string, string>>) {
    super('tried');
    this.before = before;
    this.after = after;
    this.productNames = productNames;
  }
}

const standing = async (db: Db, id: number | undefined) => (id === undefined ? undefined : profileAsItStands(db, id));

/** Does it by all its own rules, and takes it back where that is for two people. */
const trying =
  (handler: Handler): Handler =>
  async (ctx, given, wire) => {
    const input = given as Input;
    const said = {};
    const before = await standing(ctx.db, input.id);
    const made = (await handler({ ...ctx, audit: (detail) => Object.assign(said, detail) }, input as never, wire)) as { id: number } | null;
    const after = await standing(ctx.db, made?.id);
    if (before && after && trustsTheSame(before, after)) {
      ctx.audit(said);
      return null;
    }
    const ids = [...(before?.productIds ?? []), ...(after?.productIds ?? [])];
    throw new Tried(before, after, await namesOf(ctx.db, ids));
  };

const triedBy = (handler: Handler) => (ctx: Ctx, input: Input, wire: Wire) =>
  handler(ctx, input as never, wire).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Tried) return error;
      throw error;
    },
  );

/** What its author may see isn't asked again of who approves; what was deleted meanwhile is, and nothing of it is until the end. Fault: CHANGE_OUTDATED. */
async function checkStillThere(db: Db, { productIds = [] }: Input): Promise<void> {
  const { rows } = await sql`select from product_product where id = any(${[...productIds]}::bigint[]) order by id for key share`.execute(
    db,
  );
  if (rows.length !== new Set(productIds).size) throw new Fault('CHANGE_OUTDATED');
}

const ownWords = ['SIGNING_PROFILE_TAKEN', 'SIGNING_PROFILE_PRODUCT', 'SIGNING_PROFILE_IN_USE', 'OVERTAKEN', 'CHANGE_OUTDATED'];
/** Whoever approves has no field to put right: it has to be asked for again. */
function sayOutdated(error: unknown): never {
  if (!(error instanceof Fault) || ownWords.includes(error.fault)) throw error;
  throw new Fault('CHANGE_OUTDATED');
}

interface Held {
  readonly app: AppContext;
  readonly call: Call;
  readonly handler: Handler;
}
/** The change itself, in the transaction `db`, which is past the policies: its author passed them when it was tried, and who approves it reaches its organisation. */
async function holdOrApply({ app, call, handler }: Held, ctx: Ctx, db: Db, input: Input, wire: Wire, tried: Tried | undefined) {
  const now = await standing(db, input.id);
  if (tried && !isDeepStrictEqual(now, tried.before)) throw fault('OVERTAKEN');
  const of = now ?? tried?.after;
  const outcome = await applyOrHold(
    ctx,
    app,
    db,
    {
      call,
      target: targets.get(call) ?? 'profileUpdate',
      input,
      before: now ? await described(db, now) : {},
      after: { ...(tried?.after ? await described(db, tried.after) : {}), productNames: tried?.productNames ?? {} },
      subject: { id: input.id ?? null, name: of?.name ?? input.name ?? '' },
      ...(of ? { line: { id: of.dept_id, path: of.dept_path } } : {}),
      always: { home: 'signing', can: keyChangeCalls.approve.can, platform: 'centre' },
    },
    async (read) => {
      await checkStillThere(db, input);
      const made = (await handler({ ...ctx, db }, input as never, wire)) as { id: number } | null;
      const { productNames: _, ...asked } = (read ?? {}) as Readonly<Record<string, unknown>>;
      // A key may have got another certificate meanwhile: what is in effect is what was read.
      if (made && read && !isDeepStrictEqual(await described(db, await profileAsItStands(db, made.id)), asked))
        throw new Fault('CHANGE_OUTDATED');
    },
  );
  if (!outcome) return null;
  ctx.audit({ target: `signing profile ${of?.name ?? ''}`, after: outcome });
  await ctx.invalidate(db, PROFILE_GROUP, of?.dept_path);
  return outcome;
}

/** Where its organisation stands doesn't change meanwhile. */
async function approved(held: Held, ctx: Ctx, db: Db, input: Input, wire: Wire) {
  await keepProfilePlaces(db);
  return holdOrApply(held, ctx, db, input, wire, undefined);
}

/** The same rows, whose changes wait for a second person who approves keys of the organisation, by `checked` before they are tried. */
export function heldProfiles<R extends Resource>(app: AppContext, made: R, checked: (of: R) => R): R {
  const isHeld = ({ call }: Route) => targets.has(call);
  const tried = checked({
    ...made,
    routes: made.routes.map((route) => (isHeld(route) ? { ...route, handler: trying(route.handler) } : route)),
  });
  const routes = made.routes.map((route, at): Route => {
    const { call, handler } = route;
    const first = tried.routes[at];
    if (!isHeld(route) || !first) return route;
    const attempt = triedBy(first.handler);
    const held = { app, call, handler };
    return {
      call,
      handler: async (ctx, given, wire) => {
        const input = given as Input;
        if (ctx.approving !== undefined) return ctx.unscoped((db) => approved(held, ctx, db, input, wire)).catch(sayOutdated);
        const found = await attempt(ctx, input, wire);
        return found && ctx.unscoped((db) => holdOrApply(held, ctx, db, input, wire, found));
      },
    };
  });
  return { ...made, routes };
}
