import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import { type Job, job } from '../../../platform/module.ts';
import type { Allowed } from '../../../platform/outbound/door.ts';
import { readSetting } from '../../../platform/settings.ts';
import { type PackageRow, packageById, packageRows } from '../packages/package-queries.ts';
import { askDomain, askStore, type Found } from './ask-place.ts';
import { beginPlaces, type PlaceRow, placesOf } from './place-rows.ts';

export const PUBLISH = 'rollout:publish';
/** Seconds between the rounds: what was away for a moment is back in the first, a cache that restarts in the others. */
const WAITS = [10, 60, 300] as const;
/** A round is over by then, or its server was stopped. */
const LOST_MS = 120_000;
const AT_ONCE = 8;
const publishing = codeOf(packageRows.machine, 'publishing');

export interface Publishing {
  readonly store: BlobStore;
  /** Path of a file on this server, and on any domain that leads to it; for some minutes. */
  pathOf(sha256: string): string;
  /** Hosts that a domain may lead on to besides: the object store's own. */
  readonly storeHosts: Allowed;
  /** Says to whoever published it what became of it. */
  tell(db: Db, what: 'failed' | 'partly', of: { kind: TaskKind; row: PackageRow; failed: number }): Promise<void>;
}
/** One that isn't there, with what is wrong; null where it is. */
type Answer = Found | null;

const Which = z.object({ id: z.int() });

/** The package as long as it is being published, locked, and its places; those of the first round are made by it. */
async function begin(db: Db, id: number, kinds: readonly TaskKind[]) {
  const kind = await kindOf(db, id, kinds);
  const row = kind && (await packageById(db, kind, id));
  if (!kind || !row) return undefined;
  if (row.publish_round === 0) await beginPlaces(db, id);
  return { kind, row, places: await placesOf(db, id), allowed: (await readSetting(db, 'outbound')).downloads };
}
type Begun = NonNullable<Awaited<ReturnType<typeof begin>>>;

async function kindOf(db: Db, id: number, kinds: readonly TaskKind[], round?: number): Promise<TaskKind | undefined> {
  const also: RawBuilder<boolean> = round === undefined ? sql`true` : sql`publish_round = ${round}`;
  const found = await sql<{ content: string }>`
    select content from rollout_package where id = ${id} and publish_state = ${publishing} and ${also} and deleted_at is null for update`.execute(
    db,
  );
  return kinds.find(({ kind }) => kind === found.rows[0]?.content);
}

/** Each place that isn't known to have it is asked; none where the own store can't say what they should have. */
async function ask(parts: Publishing, { row, places, allowed }: Begun): Promise<ReadonlyMap<number, Answer>> {
  const answers = new Map<number, Answer>();
  const own = await askStore(parts.store, row);
  for (const { id, domain_id } of places) if (domain_id === null) answers.set(id, 'problem' in own ? own : null);
  if ('problem' in own) return answers;
  const waiting = places.filter((one) => one.domain_id !== null && one.there !== true);
  const path = parts.pathOf(row.sha256);
  const next = async (): Promise<void> => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      const url = `${place.url}${path}?via=1`;
      answers.set(place.id, (await askDomain(url, row, own, { allowed, onward: parts.storeHosts })) ?? null);
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
async function settle(ctx: Ctx, db: Db, parts: Publishing, { kind, row }: Begun, answers: ReadonlyMap<number, Answer>): Promise<void> {
  // Taken back, deleted or asked by another server meanwhile: what was found is of no use.
  if (!(await kindOf(db, row.id, [kind], row.publish_round))) return;
  await note(db, ctx.now(), answers);
  const missing = (await placesOf(db, row.id)).filter(({ there }) => there !== true);
  const wait = WAITS[row.publish_round];
  const over = { publish_at: null };
  if (missing.length === 0) await move(db, packageRows, 'done', [row.id], { set: over });
  else if (wait !== undefined) {
    const at = new Date(ctx.now().getTime() + wait * 1000);
    await sql`update rollout_package set publish_round = publish_round + 1, publish_at = ${at} where id = ${row.id}`.execute(db);
    await ctx.enqueue(db, PUBLISH, { id: row.id }, { runAt: at });
  } else {
    const event = missing.some(isOwn) ? 'failed' : 'partly';
    await move(db, packageRows, event, [row.id], { set: over });
    await parts.tell(db, event, { kind, row, failed: missing.length });
  }
  await ctx.invalidate(db, kind.paths.packages ?? '', row.dept_path);
}

/** One round of asking. Run twice it asks twice; the first that comes back decides. */
export const publishJob = (kinds: readonly TaskKind[], parts: Publishing): Job =>
  job({
    name: PUBLISH,
    payload: Which,
    run: async (ctx, { id }) => {
      const begun = await ctx.unscoped((db) => begin(db, id, kinds));
      if (!begun) return;
      const answers = await ask(parts, begun);
      await ctx.unscoped((db) => settle(ctx, db, parts, begun, answers));
    },
  });

/** What a server that was stopped left in the middle goes on. A round that is still asked is asked once more, and the first that comes back decides. */
export const followPublishing: Job = job({
  name: 'rollout:publishing',
  payload: z.object({}),
  every: '* * * * *',
  run: async (ctx) => {
    await ctx.unscoped(async (db) => {
      const lost = await sql<{ id: number }>`
        select id from rollout_package where publish_state = ${publishing} and deleted_at is null
          and (publish_at is null or publish_at < ${new Date(ctx.now().getTime() - LOST_MS)}) order by publish_at limit 1000`.execute(db);
      for (const { id } of lost.rows) await ctx.enqueue(db, PUBLISH, { id });
    });
  },
});

/** What a package is given when it is to be published: the first round at once. */
export const firstRound = (ctx: Pick<Ctx, 'actor' | 'now'>) => ({ publish_round: 0, publish_at: ctx.now(), publish_by: ctx.actor.userId });
