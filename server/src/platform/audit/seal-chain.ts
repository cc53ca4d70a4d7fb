import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { addEntry } from './entry.ts';
import { addHead, type Head, hashOfHead, headAt, openHead, readHeads } from './heads.ts';
import { isSame, type Link, type SealKeys, sealKeys } from './seal-keys.ts';
import { hasBegun, readTip, type Tip, writeTip } from './seal-tip.ts';

const BATCH = 1000;
const LOCK = 7_101;
const ANCHOR = 'auditAnchor';
const DAY_MS = 86_400_000;

export interface Sealed extends Link {
  readonly id: number;
  readonly line: string;
  readonly seal: Buffer | null;
  readonly at: Date;
}

/** What is hashed of a row: everything but the hashes, in one canonical text made by the database. */
const line = sql<string>`jsonb_build_array(id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), request_id, actor_id, actor_name, dept_path, platform, ip, call, target, input, before, after, result)::text || coalesce(to_jsonb(actor_dept)::text, '')`;
const columns = sql`id, at, seal_no as "sealNo", hash, seal, ${line} as line`;

export const link = (prev: Buffer, text: string): Buffer => createHash('sha256').update(prev).update(text).digest();

/** All links after that one, in order. */
export async function* linksAfter(db: Db, sealNo: number): AsyncGenerator<Sealed> {
  for (let after = sealNo; ; ) {
    const { rows } = await sql<Sealed>`select ${columns} from audit_entry where seal_no > ${after} order by seal_no limit ${BATCH}`.execute(
      db,
    );
    yield* rows;
    after = rows.at(-1)?.sealNo ?? after;
    if (rows.length < BATCH) return;
  }
}

type Sealing = Pick<AppContext, 'masterKey' | 'config' | 'unscoped' | 'now'>;

/**
 * Chains and seals committed rows, one sealer at a time. The chain has its own numbers, since rows commit out of the order of their ids; a number
 * that was given once isn't given again, whatever the database says. Running twice finds nothing left to do.
 */
export async function sealAudit(app: Sealing, onWrong: (what: string) => void = () => {}): Promise<number> {
  const keys = sealKeys(app.masterKey);
  const { DATA_DIR } = app.config;
  const done = await app.unscoped(async (db) => {
    const locked = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as ok`.execute(db);
    if (!locked.rows[0]?.ok) return undefined;
    const known = readTip(DATA_DIR);
    const from = await startOf(db, keys, known, app.now(), onWrong);
    const sealed = await sealFrom(db, keys, from);
    return { known, tip: { ...from, ...sealed.last }, sealed: sealed.count };
  });
  if (!done) return 0;
  const { tip, known } = done;
  const next = { id: tip.id, sealNo: tip.sealNo, hash: tip.hash.toString('hex'), head: tip.head, headHash: tip.headHash };
  if (next.sealNo !== known?.sealNo || next.head !== known.head) writeTip(DATA_DIR, next);
  return done.sealed;
}

type Start = Link & Pick<Tip, 'id' | 'head' | 'headHash'>;

/** The last link that is ours: the furthest of what the database has sealed, and what this process saw. */
async function startOf(db: Db, keys: SealKeys, known: Tip | undefined, now: Date, onWrong: (what: string) => void): Promise<Start> {
  const anchor = await anchorOf(db);
  const newest = await lastLink(db);
  const first = await headAt(db, keys, 'first');
  const last = await headAt(db, keys, 'last');
  if (!first && !hasBegun(known)) {
    const at = newest ?? { ...anchor, id: 0 };
    // Where a version before has run, what it sealed without a key is covered by the first signature. In a fresh folder nobody can tell its rows from
    // those of whoever owns the database, wrote them over and took the signatures away.
    const unproved = known ? at.sealNo + (await olderThanUs(db)) : 0;
    if (unproved > 0)
      onWrong(`rows up to seal number ${unproved} were here before any signature: they are unproved until they are adopted`);
    const of = { lastId: at.id, sealNo: at.sealNo, count: at.sealNo - anchor.sealNo, chain: at.hash.toString('hex') };
    const head = { head: 1, date: now.toISOString(), ...of, previous: '', ...(unproved > 0 ? { unproved } : {}) };
    const signed = await addHead(db, keys, head);
    if (anchor.sealNo > 0 && unproved === 0) await writeAnchor(db, keys, anchor);
    return { id: at.id, sealNo: at.sealNo, hash: at.hash, head: 1, headHash: hashOfHead(signed) };
  }
  const heads =
    last && last.head >= (known?.head ?? 0)
      ? { head: last.head, headHash: hashOfHead(last.signed) }
      : { head: known?.head ?? 0, headHash: known?.headHash ?? '' };
  if (known && (!last || last.head < known.head)) onWrong(`signed heads up to ${known.head} were here, and are gone`);
  const sealed = await sql<Sealed>`
    select ${columns} from audit_entry where seal_no > ${first?.sealNo ?? 0} and seal is not null order by seal_no desc limit 1`.execute(
    db,
  );
  const [row] = sealed.rows;
  const isOurs = row && isSame(row.seal, keys.row(row, row.line));
  if (row && !isOurs) onWrong(`the newest sealed row (${row.id}) was changed`);
  const seen = known && { id: known.id, sealNo: known.sealNo, hash: Buffer.from(known.hash, 'hex') };
  const signed = last && { id: last.lastId, sealNo: last.sealNo, hash: Buffer.from(last.chain, 'hex') };
  const ends = [{ ...anchor, id: 0 }, signed, seen, isOurs ? row : undefined].filter((one) => one !== undefined);
  const end = ends.reduce((far, one) => (one.sealNo > far.sealNo ? one : far));
  if (seen && (newest?.sealNo ?? anchor.sealNo) < seen.sealNo) onWrong(`rows up to seal number ${seen.sealNo} were here, and are gone`);
  return { id: end.id, sealNo: end.sealNo, hash: end.hash, ...heads };
}

/** Rows without a seal are sealed within seconds: such as wait for an hour were waiting for a sealer that knows nothing of them. */
async function olderThanUs(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from audit_entry where seal_no is null and at < now() - interval '1 hour'`.execute(db);
  return rows[0]?.n ?? 0;
}

async function lastLink(db: Db): Promise<(Link & { id: number }) | undefined> {
  const last = await sql<Link & { id: number }>`
    select id, seal_no as "sealNo", hash from audit_entry where seal_no is not null order by seal_no desc limit 1`.execute(db);
  return last.rows[0];
}

/** Seals what a version before linked meanwhile, then links and seals what is open. */
async function sealFrom(db: Db, keys: SealKeys, from: Start): Promise<{ count: number; last?: Link & { id: number } }> {
  const linked = await sql<Sealed>`
    select ${columns} from audit_entry where seal_no > ${from.sealNo} and seal is null order by seal_no limit ${BATCH}`.execute(db);
  const sealed: (Link & { id: number; seal: Buffer })[] = [];
  const take = (row: { id: number; line: string }, { sealNo, hash }: Link) =>
    sealed.push({ id: row.id, sealNo, hash, seal: keys.row({ sealNo, hash }, row.line) });
  let prev: Link = from;
  for (const row of linked.rows) {
    if (row.sealNo !== prev.sealNo + 1 || !isSame(row.hash, link(prev.hash, row.line))) break;
    take(row, row);
    prev = row;
  }
  if (sealed.length < BATCH) {
    const newest = await lastLink(db);
    if (newest && newest.sealNo > prev.sealNo) prev = newest;
    const open = await sql<{ id: number; line: string }>`
      select id, ${line} as line from audit_entry where seal_no is null order by id limit ${BATCH}`.execute(db);
    for (const row of open.rows) {
      const at: Link = { sealNo: prev.sealNo + 1, hash: link(prev.hash, row.line) };
      take(row, at);
      prev = at;
    }
  }
  if (sealed.length === 0) return { count: 0 };
  const rows = sealed.map((one) => ({ ...one, hash: one.hash.toString('hex'), seal: one.seal.toString('hex') }));
  await sql`
    update audit_entry a set hash = decode(n.hash, 'hex'), seal = decode(n.seal, 'hex'), seal_no = n."sealNo"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id bigint, "sealNo" bigint, hash text, seal text) where a.id = n.id`.execute(
    db,
  );
  const last = sealed.at(-1);
  return { count: sealed.length, ...(last ? { last: { id: last.id, sealNo: last.sealNo, hash: last.hash } } : {}) };
}

/** Signs what the chain has come to, once a day. Answers whether it did: running again finds that day's. */
export async function signHead(app: Sealing): Promise<boolean> {
  await sealAudit(app);
  const keys = sealKeys(app.masterKey);
  const { DATA_DIR } = app.config;
  const next = await app.unscoped(async (db) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
    const tip = readTip(DATA_DIR);
    const last = await headAt(db, keys, 'last');
    const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS);
    if (!hasBegun(tip) || (last && dayOf(new Date(last.date)) >= dayOf(app.now()))) return undefined;
    const before = last && last.head >= tip.head ? { head: last.head, headHash: hashOfHead(last.signed) } : tip;
    const count = tip.sealNo - (last?.sealNo ?? 0);
    const of = { head: before.head + 1, date: app.now().toISOString(), lastId: tip.id, sealNo: tip.sealNo, count, chain: tip.hash };
    const signed = await addHead(db, keys, { ...of, previous: before.headHash });
    return { ...tip, head: of.head, headHash: hashOfHead(signed) };
  });
  if (next) writeTip(DATA_DIR, next);
  return next !== undefined;
}

/** What nothing proves, by the signed heads; 0 where there is none, or it was adopted. */
export const unprovedBy = (heads: readonly Head[]): number => {
  const unproved = heads.find((head) => head.head === 1)?.unproved ?? 0;
  return heads.some((head) => (head.adopted ?? 0) >= unproved) ? 0 : unproved;
};

/** By whoever runs the server, who looked at them: rows that were here before any signature are signed with what came since. Answers up to where. */
export async function adoptAudit(app: Sealing): Promise<number> {
  await sealAudit(app);
  const keys = sealKeys(app.masterKey);
  const { DATA_DIR } = app.config;
  const adopted = await app.unscoped(async (db) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
    const tip = readTip(DATA_DIR);
    const heads = (await readHeads(db)).map((one) => ({ signed: one.signed, head: openHead(keys, one) }));
    const last = heads.at(-1);
    const unproved = unprovedBy(heads.flatMap(({ head }) => head ?? []));
    if (!tip || !last?.head || unproved === 0) return undefined;
    const of = { head: last.head.head + 1, date: app.now().toISOString(), lastId: tip.id, sealNo: tip.sealNo, chain: tip.hash };
    const previous = hashOfHead(last.signed);
    const signed = await addHead(db, keys, { ...of, count: tip.sealNo - last.head.sealNo, previous, adopted: unproved });
    const anchor = await anchorOf(db);
    if (anchor.sealNo > 0 && anchor.sealNo <= unproved) await writeAnchor(db, keys, anchor);
    await addEntry(db, {
      requestId: `adopt-${unproved}`,
      actorName: 'npm run audit-log',
      ip: 'local',
      call: 'npm run audit-log',
      target: `1-${unproved}`,
      result: 'done',
      after: { adopted: unproved },
    });
    return { unproved, tip: { ...tip, head: of.head, headHash: hashOfHead(signed) } };
  });
  if (adopted) writeTip(DATA_DIR, adopted.tip);
  return adopted?.unproved ?? 0;
}

const Anchor = z.object({ hash: z.string(), sealNo: z.int(), seal: z.string().optional() });

/** Where the chain begins: at nothing, or after the last link that went with its age. */
export async function anchorOf(db: Db): Promise<Link & { seal?: Buffer }> {
  const row = await db.selectFrom('settings_value').select('value').where('type', '=', ANCHOR).executeTakeFirst();
  const { data } = Anchor.safeParse(row?.value);
  if (!data) return { hash: Buffer.alloc(32), sealNo: 0 };
  return { hash: Buffer.from(data.hash, 'hex'), sealNo: data.sealNo, ...(data.seal ? { seal: Buffer.from(data.seal, 'hex') } : {}) };
}

async function writeAnchor(db: Db, keys: SealKeys | undefined, at: Link): Promise<void> {
  const value = JSON.stringify({
    hash: at.hash.toString('hex'),
    sealNo: at.sealNo,
    ...(keys ? { seal: keys.anchor(at).toString('hex') } : {}),
  });
  await db
    .insertInto('settings_value')
    .values({ type: ANCHOR, value })
    .onConflict((on) => on.column('type').doUpdateSet({ value }))
    .execute();
}

/** Deletes sealed rows from before then, the oldest links first, and remembers the last of them. Answers how many. */
export async function pruneAudit(db: Db, keys: SealKeys, before: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
  const last = await sql<Link>`
    select seal_no as "sealNo", hash from audit_entry where seal_no is not null
      and seal_no < coalesce((select min(seal_no) from audit_entry where at >= ${before} and seal_no is not null), 9223372036854775807)
    order by seal_no desc limit 1`.execute(db);
  const [end] = last.rows;
  if (!end) return 0;
  const anchor = await anchorOf(db);
  // A beginning that isn't proved doesn't become one by rows that go.
  const isProved = anchor.sealNo === 0 || isSame(anchor.seal, keys.anchor(anchor));
  await writeAnchor(db, isProved ? keys : undefined, end);
  const gone = await sql`delete from audit_entry where seal_no <= ${end.sealNo}`.execute(db);
  return Number(gone.numAffectedRows ?? 0);
}
