import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { isOfMessage, type Line, type Outcome, type Parcel } from './line.ts';
import { customerRows, invalidateCustomers, lineTo, platformOf } from './platform-rows.ts';

const BATCH = 200;
/** Terminals that are sent for at once; each has one message under way. */
const AT_ONCE = 16;
const CUSTOMERS_AT_ONCE = 4;
const LEASE_MS = 60_000;
/** A batch ends well inside its lease, however slow the platform is. */
const BATCH_MS = 20_000;
/** Batches of one platform before others have their turn. */
const ROUNDS = 10;
const MOST_WAIT_MS = 5 * 60_000;
/** A message that a platform breaks at, while others get through, holds its terminal up for so many tries. */
const BROKEN_TRIES = 10;
/** So many messages refused in a row, and none taken: it is the address that is wrong. */
const REFUSED_IN_A_ROW = 5;

interface Leased {
  readonly id: number;
  readonly dept_path: string;
  readonly tries: number;
  readonly refusals: number;
  readonly after_sn: string;
}
interface Row {
  readonly id: number;
  readonly device_id: number | null;
  readonly sn: string;
  readonly product: string;
  readonly kind: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
  readonly seq: number;
  readonly message_id: string;
  readonly tries: number;
  readonly breaks: number;
  /** It was put off beside others that got through. */
  readonly next_at: Date | null;
  readonly again: number;
  readonly at: Date;
}
type Settled = Row & { readonly outcome: Outcome; readonly turn: number };

const later = (app: AppContext, ms: number) => new Date(app.now().getTime() + ms);

/** A platform that something waits for, whose time has come. */
const isDue = (now: Date) => sql`state in ('active', 'failing') and next_at <= ${now}
  and exists (select from customer_message m where m.customer_id = customer_iot.id and m.fate = 'waiting')`;

/** Whether there is one, for whoever would have to write to take it. */
export const isAnyDue = (app: AppContext): Promise<boolean> =>
  app.readInBulk(async (db) => {
    const { rows } = await sql<{ any: boolean }>`select exists (select from customer_iot where ${isDue(app.now())}) as any`.execute(db);
    return rows[0]?.any ?? false;
  });

/** Such platforms, each for one process alone. */
async function lease(app: AppContext, me: string, most: number): Promise<readonly Leased[]> {
  const now = app.now();
  const { rows } = await app.unscoped((db) =>
    sql<Leased>`
      update customer_iot c set lease_by = ${me}, lease_until = ${later(app, LEASE_MS)}
      where id in (
        select id from customer_iot where ${isDue(now)} and (lease_until is null or lease_until <= ${now})
        order by next_at limit ${most} for no key update skip locked)
      returning id, dept_path, tries, refusals, after_sn`.execute(db),
  );
  return rows;
}

/** The first messages of terminals, of those whose first one may be sent. They have their turn one after the other, and from the beginning again. */
const waiting = async (db: Db, id: number, after: string, now: Date): Promise<Row[]> => {
  const behind = (sn: RawBuilder<unknown>) => sql`
    select sn, next_at from customer_message where customer_id = ${id} and fate = 'waiting' and sn > ${sn} order by sn, id limit 1`;
  const heads = (from: RawBuilder<unknown>) => sql`
    select sn, next_at from (${from}) first union all select m.sn, m.next_at from`;
  const { rows } = await sql<Row>`
    with recursive later as (
      ${heads(behind(sql`${after}::text`))} later h cross join lateral (${behind(sql`h.sn`)}) m
    ), sooner as (
      ${heads(behind(sql`''`))} sooner h cross join lateral (${behind(sql`h.sn`)}) m where h.sn <= ${after}
    ), due as materialized (
      select sn from (select * from later union all select * from sooner where sn <= ${after}) head where next_at is null or next_at <= ${now} limit ${BATCH}
    )
    select m.* from due cross join lateral (
      select id, device_id, sn, product, kind, name, data, seq, message_id, tries, breaks, next_at, again, at from customer_message
      where customer_id = ${id} and fate = 'waiting' and sn = due.sn order by id limit greatest(1, ${BATCH} / (select count(*) from due))) m
    order by m.sn > ${after} desc, m.sn, m.id`.execute(db);
  return rows;
};

const parcelOf = ({ message_id, seq, sn, product, kind, data, at, again }: Row): Parcel => ({
  messageId: message_id,
  seq: Number(seq),
  sn,
  product,
  kind,
  body: JSON.stringify({ id: message_id, seq: Number(seq), sn, product, kind, at, ...data, ...(again > 0 ? { replay: true } : {}) }),
});

/** One terminal's messages one after the other; the first that is put off holds the rest of them. */
async function sendOf(line: Line, rows: readonly Row[], goesOn: () => boolean, note: (row: Row, outcome: Outcome) => void): Promise<void> {
  for (const row of rows) {
    if (!goesOn()) break;
    const outcome = await line.send(parcelOf(row));
    note(row, outcome);
    if (outcome.fate === 'later') break;
  }
}

/** Terminals beside each other; nothing new is begun once none of several got through, or the time is up. */
async function sendBatch(line: Line, rows: readonly Row[]): Promise<Settled[]> {
  const queues = [...Map.groupBy(rows, (row) => row.sn).values()];
  const started = performance.now();
  const settled: Settled[] = [];
  let inVain = 0;
  const goesOn = () => inVain < AT_ONCE && performance.now() - started < BATCH_MS;
  const turns = new Map([...new Set(rows.map((row) => row.sn))].map((sn, turn) => [sn, turn]));
  const note = (row: Row, outcome: Outcome) => {
    settled.push({ ...row, outcome, turn: turns.get(row.sn) ?? 0 });
    inVain = outcome.fate === 'sent' ? 0 : inVain + 1;
  };
  const work = async () => {
    for (let next = queues.shift(); next && goesOn(); next = queues.shift()) await sendOf(line, next, goesOn, note);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return settled;
}
/** The terminal that was begun with last: rows come in the order of turns. */
const lastOf = (settled: readonly Settled[]): string => settled.toSorted((a, b) => a.turn - b.turn).at(-1)?.sn ?? '';

const backoff = (tries: number): number => Math.min(MOST_WAIT_MS, 1000 * 2 ** Math.min(tries, 9)) * (0.75 + Math.random() / 2);

/**
 * What came of each, as all of the batch shows it. Beside others that got through a message that the platform breaks at again and again is given up;
 * where several are refused in a row and none gets through it isn't them.
 */
function judged({ refusals }: Leased, settled: readonly Settled[]): readonly Settled[] {
  const isOn = settled.some(({ outcome }) => outcome.fate === 'sent');
  const refused = settled.filter(({ outcome }) => outcome.fate === 'refused').length;
  return settled.map((one) => {
    const { outcome } = one;
    if (isOn && outcome.fate === 'later' && isOfMessage(outcome.status)) {
      const breaks = one.breaks + 1;
      return { ...one, breaks, outcome: breaks >= BROKEN_TRIES ? { ...outcome, fate: 'refused' } : outcome };
    }
    const isAddress = !isOn && outcome.fate === 'refused' && refusals + refused >= REFUSED_IN_A_ROW;
    return isAddress ? { ...one, outcome: { ...outcome, fate: 'later' } } : one;
  });
}

/** The platform itself: it is off only where nothing got through, and it isn't those alone that were put off before while others did. */
async function settlePlatform(db: Db, app: AppContext, me: string, of: Leased, settled: readonly Settled[]): Promise<string | undefined> {
  const now = app.now();
  const sent = settled.filter(({ outcome }) => outcome.fate === 'sent').length;
  const refused = settled.filter(({ outcome }) => outcome.fate === 'refused').length;
  const put = settled.filter(({ outcome }) => outcome.fate === 'later');
  const [off] = put.flatMap(({ outcome, next_at }) => (sent === 0 && next_at === null && outcome.fate === 'later' ? [outcome.reason] : []));
  if (sent + refused > 0) await count(db, of, now, sent, refused);
  await sql`
    update customer_iot set delivered_at = case when ${sent > 0} then ${now}::timestamptz else delivered_at end,
      tries = case when ${off === undefined} then 0 else tries + 1 end, refusals = case when ${sent > 0} then 0 else refusals + ${refused} end,
      after_sn = ${lastOf(settled)},
      next_at = ${off === undefined ? now : later(app, backoff(of.tries))},
      lease_until = case when lease_by = ${me} then ${off === undefined ? later(app, LEASE_MS) : null}::timestamptz else lease_until end
    where id = ${of.id}`.execute(db);
  if (sent > 0 || put.length === 0) await move(db, customerRows, 'recover', [of.id], { set: { reason: null, failing_since: null } });
  else if (off !== undefined) {
    const failed = await move(db, customerRows, 'fail', [of.id], { set: { reason: off, failing_since: now }, detail: { reason: off } });
    if (failed.length === 0) await sql`update customer_iot set reason = ${off} where id = ${of.id} and state = 'failing'`.execute(db);
  }
  return off;
}

/**
 * What came of a batch, in one transaction, in the order of everybody who writes it: the hour, the platform, the messages. A lease that was lost
 * meanwhile changes nothing of it: what was taken was taken.
 */
async function settle(app: AppContext, me: string, of: Leased, tried: readonly Settled[]): Promise<string | undefined> {
  const settled = judged(of, tried);
  return app.unscoped(async (db) => {
    const off = await settlePlatform(db, app, me, of, settled);
    const now = app.now();
    const fates = settled.map(({ outcome }) => (outcome.fate === 'later' ? 'waiting' : outcome.fate));
    const reasons = settled.map(({ outcome }) => ('reason' in outcome ? outcome.reason : null));
    // Where the platform is off its messages are tried when it is.
    const next = settled.map(({ outcome, tries }) => (outcome.fate === 'later' && off === undefined ? later(app, backoff(tries)) : null));
    await sql`
      update customer_message m set fate = x.fate, reason = x.reason, tries = m.tries + 1, breaks = x.breaks, next_at = x.next_at,
        ended_at = case when x.fate = 'waiting' then null else ${now}::timestamptz end
      from unnest(${settled.map((one) => one.id)}::bigint[], ${fates}::text[], ${reasons}::text[], ${settled.map((one) => one.breaks)}::int[],
        ${next}::timestamptz[]) as x(id, fate, reason, breaks, next_at)
      where m.id = x.id and m.fate = 'waiting'`.execute(db);
    await invalidateCustomers(app, db, of.dept_path);
    return off;
  });
}

const count = (db: Db, { id, dept_path }: Leased, now: Date, sent: number, refused: number) =>
  sql`
    insert into customer_hour as h (customer_id, hour, sent, refused, dept_path) values (${id}, date_trunc('hour', ${now}::timestamptz), ${sent}, ${refused}, ${dept_path})
    on conflict (customer_id, hour) do update set sent = h.sent + excluded.sent, refused = h.refused + excluded.refused`.execute(db);

const release = (app: AppContext, me: string, id: number) =>
  app.unscoped((db) => sql`update customer_iot set lease_until = null where id = ${id} and lease_by = ${me}`.execute(db));

/** Connections of this process; one that another process could do as well without. */
export class Lines {
  private readonly open = new Map<number, { mark: string; line: Line }>();
  /** One that was opened by other settings, of the platform or of what may be reached, is closed first. */
  async to(app: AppContext, id: number): Promise<Line | undefined> {
    const platform = await app.unscoped((db) => platformOf(app, db, id));
    const mark = platform && `${platform.revision} ${platform.allowed.join(' ')}`;
    const known = this.open.get(id);
    if (known?.mark === mark) return known?.line;
    this.close(id);
    if (!platform || mark === undefined) return undefined;
    const line = lineTo(platform);
    this.open.set(id, { mark, line });
    return line;
  }
  close(id?: number): void {
    for (const [key, { line }] of this.open) {
      if (id !== undefined && id !== key) continue;
      line.close();
      this.open.delete(key);
    }
  }
}

async function sendTo(app: AppContext, me: string, lines: Lines, of: Leased): Promise<number> {
  let total = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const line = await lines.to(app, of.id);
      const [held, rows] = await app.unscoped(async (db) => {
        const still = await sql<Leased>`
          select id, dept_path, tries, refusals, after_sn from customer_iot
          where id = ${of.id} and lease_by = ${me} and lease_until > ${app.now()} and state in ('active', 'failing')`.execute(db);
        const [one] = still.rows;
        return [one, one ? await waiting(db, of.id, one.after_sn, app.now()) : []] as const;
      });
      if (!line || !held || rows.length === 0) break;
      const settled = await sendBatch(line, rows);
      total += settled.length;
      if ((await settle(app, me, held, settled)) !== undefined) {
        lines.close(of.id);
        return total;
      }
    }
  } finally {
    await release(app, me, of.id);
  }
  return total;
}

/** Sends what is due to each of some platforms; answers how many messages were tried. */
export async function forwardDue(app: AppContext, lines: Lines, me: string = randomUUID(), most = CUSTOMERS_AT_ONCE): Promise<number> {
  const leased = await lease(app, me, most);
  const sent = await Promise.allSettled(leased.map((one) => sendTo(app, me, lines, one)));
  for (const one of sent)
    if (one.status === 'rejected') app.log.warn({ error: String(one.reason) }, 'messages not forwarded; trying again');
  return sent.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
}
