import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move, type StatefulTable } from '../../../platform/db/move.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import { type Job, job } from '../../../platform/module.ts';
import type { Allowed } from '../../../platform/outbound/door.ts';
import { readSetting } from '../../../platform/settings.ts';
import { askDomain, askStore, type Found } from './ask-place.ts';
import { beginPlaces, type PlacedIn, type PlaceRow, placesOf } from './place-rows.ts';

export const PUBLISH = 'rollout:publish';
/** Seconds between the rounds: what was away for a moment is back in the first, a cache that restarts in the others. */
const WAITS = [10, 60, 300] as const;
/** A round is over by then, or its server was stopped. */
const LOST_MS = 120_000;
const AT_ONCE = 8;
/** The code of the state, of packages and apps alike (design 2, "Lifecycles"). */
const PUBLISHING = '2';

type Ended = 'done' | 'partly' | 'failed';
/** Something that is published by a job, and what follows from it. */
export interface Published extends PlacedIn {
  readonly rows: StatefulTable<string, Ended>;
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
  /** Hosts that a domain may lead on to besides: the object store's own. */
  readonly storeHosts: Allowed;
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
  readonly publish_round: number;
  readonly publish_by: number | null;
}
/** As long as it is being published; locked. */
async function held(db: Db, { table }: Published, id: number): Promise<Row | undefined> {
  const found = await sql<Row>`
    select id, sha256, size, dept_path, publish_round, publish_by from ${sql.table(table)}
    where id = ${id} and publish_state = ${PUBLISHING} and deleted_at is null for update`.execute(db);
  return found.rows[0];
}

/** With its places; those of the first round are made by it. */
async function begin(db: Db, of: Published, id: number) {
  const row = await held(db, of, id);
  if (!row) return undefined;
  if (row.publish_round === 0) await beginPlaces(db, of, id);
  return { row, places: await placesOf(db, of, id), allowed: (await readSetting(db, 'outbound')).downloads };
}
type Begun = NonNullable<Awaited<ReturnType<typeof begin>>>;

/** Each place that isn't known to have it is asked; none where the own store can't say what they should have. */
async function ask(asking: Asking, { row, places, allowed }: Begun): Promise<ReadonlyMap<number, Answer>> {
  const answers = new Map<number, Answer>();
  const own = await askStore(asking.store, row);
  for (const { id, domain_id } of places) if (domain_id === null) answers.set(id, 'problem' in own ? own : null);
  if ('problem' in own) return answers;
  const waiting = places.filter((one) => one.domain_id !== null && one.there !== true);
  const path = asking.pathOf(row.sha256);
  const next = async (): Promise<void> => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      const url = `${place.url}${path}?via=1`;
      answers.set(place.id, (await askDomain(url, row, own, { allowed, onward: asking.storeHosts })) ?? null);
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
  // Taken back, deleted or asked by another server meanwhile: what was found is of no use.
  if (!about || now?.publish_round !== row.publish_round) return;
  await note(db, ctx.now(), answers);
  const missing = (await placesOf(db, of, id)).filter(({ there }) => there !== true);
  const wait = WAITS[row.publish_round];
  if (missing.length > 0 && wait !== undefined) {
    const at = new Date(ctx.now().getTime() + wait * 1000);
    await sql`update ${sql.table(of.table)} set publish_round = publish_round + 1, publish_at = ${at} where id = ${id}`.execute(db);
    await ctx.enqueue(db, PUBLISH, { of: of.table, id }, { runAt: at });
  } else {
    const event = missing.length === 0 ? 'done' : missing.some(isOwn) ? 'failed' : 'partly';
    const { name, link, can, detail } = about;
    await move(db, of.rows, event, [id], { set: { publish_at: null }, ...(detail === undefined ? {} : { detail }) });
    if (event !== 'failed') await of.out?.(ctx, db, id);
    if (event !== 'done')
      await asking.tell(db, {
        ...{ what: event, name, link, can, failed: missing.length },
        userId: row.publish_by,
        deptPath: row.dept_path,
      });
  }
  for (const group of about.groups) await ctx.invalidate(db, group, row.dept_path);
}

/** One round of asking. Run twice it asks twice; the first that comes back decides. */
export const publishJob = (kinds: readonly Published[], asking: Asking): Job =>
  job({
    name: PUBLISH,
    payload: Which,
    run: async (ctx, { of: table, id }) => {
      const of = kinds.find((one) => one.table === table);
      const begun = of && (await ctx.unscoped((db) => begin(db, of, id)));
      if (!begun) return;
      const answers = await ask(asking, begun);
      await ctx.unscoped((db) => settle(ctx, db, asking, of, begun, answers));
    },
  });

/** What a server that was stopped left in the middle goes on. A round that is still asked is asked once more, and the first that comes back decides. */
export const followPublishing = (kinds: readonly Published[]): Job =>
  job({
    name: 'rollout:publishing',
    payload: z.object({}),
    every: '* * * * *',
    run: async (ctx) => {
      const lost = new Date(ctx.now().getTime() - LOST_MS);
      for (const { table } of kinds)
        await ctx.unscoped(async (db) => {
          const { rows } = await sql<{ id: number }>`
            select id from ${sql.table(table)} where publish_state = ${PUBLISHING} and deleted_at is null
              and (publish_at is null or publish_at < ${lost}) order by publish_at limit 1000`.execute(db);
          for (const { id } of rows) await ctx.enqueue(db, PUBLISH, { of: table, id });
        });
    },
  });

/** What is to be published is given with the move: the first round at once. */
export const firstRound = (ctx: Pick<Ctx, 'actor' | 'now'>) => ({ publish_round: 0, publish_at: ctx.now(), publish_by: ctx.actor.userId });
