import { fault } from '@mooring/contract/kit/fault';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { type Move, move, type StatefulTable } from '../../../platform/db/move.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import { type Job, job } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';
import { askDomain, askStore, type Found } from './ask-place.ts';
import { beginPlaces, type PlacedIn, type PlaceRow, placesOf } from './place-rows.ts';

export const PUBLISH = 'rollout:publish';
/** Seconds between the rounds: what was away for a moment is back in the first, a cache that restarts in the others. */
const WAITS = [10, 60, 300] as const;
/** Its job is gone by then: its server was stopped. */
const LOST_MS = 120_000;
/** Whoever asks has answers long before. */
const HELD_MS = 180_000;
/** So far clocks of two servers may be apart. */
const APART_MS = 5000;
const AT_ONCE = 8;
/** The whole of a round; what isn't asked by then is silent. */
const ROUND_MS = 90_000;
const OWN_MS = 30_000;
const DOMAIN_MS = 15_000;

type Stands = 'unpublished' | 'publishing' | 'published' | 'partly';
type Event = 'publish' | 'recheck' | 'done' | 'partly' | 'failed';
/** Something that is published by a job, and what follows from it. */
export interface Published extends PlacedIn {
  readonly rows: StatefulTable<Stands, Event>;
  /** What people call it, where they look at it, who hears of it where nobody is known, and the lists that show it; undefined where there is nothing to be published any more. */
  about(db: Db, id: number): Promise<About | undefined>;
  /** Once it is out, in the transaction in which it comes out. */
  out?(ctx: Ctx, db: Db, id: number): Promise<void>;
}
export interface About {
  readonly name: string;
  readonly link: string;
  readonly can: string;
  readonly groups: readonly string[];
  /** Said of the move. */
  readonly detail?: unknown;
}
export interface News {
  readonly what: 'failed' | 'partly';
  readonly name: string;
  readonly link: string;
  readonly can: string;
  readonly userId: number | null;
  readonly deptPath: string;
  readonly failed: number;
}
/** How others are asked, and who is told. */
export interface Asking {
  readonly store: BlobStore;
  /** Path of a file on this server, and on any domain that leads to it; for some minutes. */
  pathOf(sha256: string): string;
  /** Where a domain may lead on to besides itself: the object store. */
  readonly storeOrigins: readonly string[];
  tell(db: Db, news: News): Promise<void>;
}
/** One that isn't there, with what is wrong; null where it is. */
type Answer = Found | null;

const Which = z.object({ of: z.enum(['rollout_package', 'app_version']), id: z.int() });

interface Row {
  readonly id: number;
  readonly sha256: string;
  readonly size: number;
  readonly dept_path: string;
  readonly publish_state: string;
  readonly publish_at: Date;
  readonly publish_held: Date | null;
  readonly publish_round: number;
  readonly publish_no: number;
  readonly publish_by: number | null;
}
/** As long as it is asked for; locked. */
async function held(db: Db, { table }: Published, id: number): Promise<Row | undefined> {
  const found = await sql<Row>`
    select id, sha256, size, dept_path, publish_state, publish_at, publish_held, publish_round, publish_no, publish_by from ${sql.table(table)}
    where id = ${id} and publish_at is not null and publish_state <> '0' and deleted_at is null for update`.execute(db);
  return found.rows[0];
}

/** With its places; those of the first round are made by it. Undefined where another server asks, or it isn't time yet. */
async function begin(db: Db, of: Published, id: number, now: Date) {
  const row = await held(db, of, id);
  if (!row || (row.publish_held && row.publish_held > now) || row.publish_at.getTime() > now.getTime() + APART_MS) return undefined;
  const until = new Date(now.getTime() + HELD_MS);
  await sql`update ${sql.table(of.table)} set publish_held = ${until} where id = ${id}`.execute(db);
  if (row.publish_round === 0) await beginPlaces(db, of, id);
  return { row, places: await placesOf(db, of, id), allowed: (await readSetting(db, 'outbound')).downloads };
}
type Begun = NonNullable<Awaited<ReturnType<typeof begin>>>;

/** Each place that isn't known to have it is asked; none where the own store can't say what they should have. */
async function ask(asking: Asking, { row, places, allowed }: Begun): Promise<ReadonlyMap<number, Answer>> {
  const answers = new Map<number, Answer>();
  const until = performance.now() + ROUND_MS;
  const own = await askStore(asking.store, row, OWN_MS);
  for (const { id, domain_id } of places) if (domain_id === null) answers.set(id, 'problem' in own ? own : null);
  if ('problem' in own) return answers;
  const waiting = places.filter((one) => one.domain_id !== null && one.checking);
  const next = async (): Promise<void> => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      // The link is of this moment: the last of many domains has as long as the first.
      const url = `${place.url}${asking.pathOf(row.sha256)}?via=1`;
      const patience = Math.min(DOMAIN_MS, until - performance.now());
      answers.set(place.id, (await askDomain(url, row, own, { allowed, onward: asking.storeOrigins }, patience)) ?? null);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return answers;
}

async function note(db: Db, now: Date, answers: ReadonlyMap<number, Answer>): Promise<void> {
  for (const [id, answer] of answers)
    await sql`
      update rollout_place set there = ${answer === null}, attempts = attempts + 1, tried_at = ${now},
        problem = ${answer?.problem ?? null}, detail = ${answer?.detail ?? ''} where id = ${id}`.execute(db);
}

const isOwn = (one: PlaceRow): boolean => one.domain_id === null;

/** What the round says: published, another round, or the end with what there is. Without the own store there is nothing to send terminals on from. */
async function settle(ctx: Ctx, db: Db, asking: Asking, of: Published, { row }: Begun, answers: ReadonlyMap<number, Answer>) {
  const { id } = row;
  const now = await held(db, of, id);
  const about = await of.about(db, id);
  // Taken back, deleted, published anew or asked by another server meanwhile: what was found is of no use.
  if (now?.publish_round !== row.publish_round || now.publish_no !== row.publish_no) return;
  if (!about) {
    await sql`update ${sql.table(of.table)} set publish_at = null, publish_held = null where id = ${id}`.execute(db);
    return;
  }
  await note(db, ctx.now(), answers);
  const places = await placesOf(db, of, id);
  const missing = places.filter(({ there }) => there !== true);
  const isWhole = missing.length === 0 && places.some(isOwn);
  const wait = WAITS[row.publish_round];
  if (!isWhole && wait !== undefined) {
    const at = new Date(ctx.now().getTime() + wait * 1000);
    await sql`update ${sql.table(of.table)} set publish_round = publish_round + 1, publish_at = ${at}, publish_held = null where id = ${id}`.execute(
      db,
    );
    await ctx.enqueue(db, PUBLISH, { of: of.table, id }, { runAt: at });
  } else {
    const { name, link, can, detail } = about;
    const isFirst = now.publish_state === codeOf(of.rows.machine, 'publishing');
    // What is out stays out: releases that run are sent on as soon as the store is back.
    const event = isWhole ? 'done' : isFirst && !places.some((one) => isOwn(one) && one.there === true) ? 'failed' : 'partly';
    await move(db, of.rows, event, [id], { set: noRound, ...(detail === undefined ? {} : { detail }) });
    if (isFirst && event !== 'failed') await of.out?.(ctx, db, id);
    if (event !== 'done')
      await asking.tell(db, {
        ...{ what: event, name, link, can, failed: missing.length },
        userId: row.publish_by,
        deptPath: row.dept_path,
      });
  }
  for (const group of about.groups) await ctx.invalidate(db, group, row.dept_path);
}

/** One round of asking. Run twice, the second ends where the first still asks. */
export const publishJob = (kinds: readonly Published[], asking: Asking): Job =>
  job({
    name: PUBLISH,
    payload: Which,
    run: async (ctx, { of: table, id }) => {
      const of = kinds.find((one) => one.table === table);
      const begun = of && (await ctx.unscoped((db) => begin(db, of, id, ctx.now())));
      if (!begun) return;
      const answers = await ask(asking, begun);
      await ctx.unscoped((db) => settle(ctx, db, asking, of, begun, answers));
    },
  });

/** Partly published for domains that are gone, or aren't asked any more. */
async function completed(ctx: Ctx, db: Db, of: Published): Promise<void> {
  const placed = sql`from rollout_place l where l.${sql.ref(of.column)} = t.id`;
  const isWhole = sql`exists (select ${placed} and l.domain_id is null and l.there) and not exists (select ${placed} and l.there is not true)`;
  const { rows } = await sql<{ id: number; dept_path: string }>`
    select id, dept_path from ${sql.table(of.table)} t
    where publish_state = ${codeOf(of.rows.machine, 'partly')} and publish_at is null and deleted_at is null and ${isWhole}
    order by id limit 1000 for update skip locked`.execute(db);
  for (const { id, dept_path } of rows) {
    const about = await of.about(db, id);
    if (!about) continue;
    await move(db, of.rows, 'done', [id], about.detail === undefined ? {} : { detail: about.detail });
    for (const group of about.groups) await ctx.invalidate(db, group, dept_path);
  }
}

/** What a server that was stopped left in the middle goes on; what is partly published for a domain that isn't asked any more is published. */
export const followPublishing = (kinds: readonly Published[]): Job =>
  job({
    name: 'rollout:publishing',
    payload: z.object({}),
    every: '* * * * *',
    run: async (ctx) => {
      const lost = new Date(ctx.now().getTime() - LOST_MS);
      for (const of of kinds) {
        const { table } = of;
        await ctx.unscoped(async (db) => {
          const { rows } = await sql<{ id: number }>`
            select id from ${sql.table(table)} where publish_at < ${lost} and publish_state <> '0' and deleted_at is null
              and (publish_held is null or publish_held < ${ctx.now()}) order by publish_at limit 1000`.execute(db);
          for (const { id } of rows) await ctx.enqueue(db, PUBLISH, { of: table, id });
        });
        await ctx.unscoped((db) => completed(ctx, db, of));
      }
    },
  });

interface Begins {
  readonly id: number;
  readonly publish_state: string;
}
/** Has each place asked for it, the first round at once. What is out stays as it is meanwhile. Fault: OVERTAKEN, also while it is asked for. */
export async function startPublishing(
  ctx: Ctx,
  db: Db,
  of: Pick<Published, 'table' | 'rows'>,
  { id, publish_state: code }: Begins,
  { set = {}, detail }: Pick<Move<Stands>, 'set' | 'detail'> = {},
): Promise<void> {
  const stands = of.rows.machine.byCode[code];
  const said = {
    actorId: ctx.actor.userId,
    ...(detail === undefined ? {} : { detail }),
    set: {
      ...set,
      publish_no: sql`t.publish_no + 1`,
      ...{ publish_round: 0, publish_at: ctx.now(), publish_held: null, publish_by: ctx.actor.userId },
    },
  };
  const moved =
    stands === 'published' || stands === 'partly'
      ? // Only as it was read: the state is written with it.
        await move(db, of.rows, 'recheck', sql`id = ${id} and publish_state = ${code} and publish_at is null`, { ...said, to: stands })
      : await move(db, of.rows, 'publish', [id], said);
  if (moved.length === 0) throw fault('OVERTAKEN');
  await ctx.enqueue(db, PUBLISH, { of: of.table, id });
}
/** Taken back it isn't asked for any more. */
export const noRound = { publish_at: null, publish_held: null } as const;
