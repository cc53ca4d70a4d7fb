import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

const BATCH = 1000;
const LOCK = 7_101;
const ANCHOR = 'auditAnchor';

type Row = { id: number; line: string };

/** What is hashed of a row: everything but the hashes, in one canonical text made by the database. */
const line = sql<string>`jsonb_build_array(id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), request_id, actor_id, actor_name, dept_path, platform, ip, call, target, input, before, after, result)::text || coalesce(to_jsonb(actor_dept)::text, '')`;

const link = (prev: Buffer, text: string): Buffer => createHash('sha256').update(prev).update(text).digest();

/**
 * Chains the hashes of committed rows, one sealer at a time. The chain has its own numbers, since rows commit out of the
 * order of their ids. Running twice finds nothing left to do.
 */
export async function sealAudit(db: Db): Promise<number> {
  const locked = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as ok`.execute(db);
  if (!locked.rows[0]?.ok) return 0;
  const last = await sql<{
    hash: Buffer;
    seal_no: number;
  }>`select hash, seal_no from audit_entry where seal_no is not null order by seal_no desc limit 1`.execute(db);
  const anchor = last.rows[0] ? { hash: last.rows[0].hash, sealNo: last.rows[0].seal_no } : await anchorOf(db);
  let prev: Buffer = anchor.hash;
  const first = anchor.sealNo + 1;
  const open = await sql<Row>`select id, ${line} as line from audit_entry where seal_no is null order by id limit ${BATCH}`.execute(db);
  if (open.rows.length === 0) return 0;
  const hashes: string[] = [];
  for (const row of open.rows) {
    prev = link(prev, row.line);
    hashes.push(prev.toString('hex'));
  }
  await sql`
    update audit_entry a set hash = decode(n.hash, 'hex'), seal_no = ${first}::bigint + n.at - 1
    from unnest(${open.rows.map((row) => row.id)}::bigint[], ${hashes}::text[]) with ordinality as n(id, hash, at) where a.id = n.id`.execute(
    db,
  );
  return open.rows.length;
}

/** Where the chain begins: at nothing, or after the last link that went with its age. */
async function anchorOf(db: Db): Promise<{ hash: Buffer; sealNo: number }> {
  const row = await db.selectFrom('settings_value').select('value').where('type', '=', ANCHOR).executeTakeFirst();
  const value = row?.value as { hash: string; sealNo: number } | undefined;
  return value ? { hash: Buffer.from(value.hash, 'hex'), sealNo: value.sealNo } : { hash: Buffer.alloc(32), sealNo: 0 };
}

/** Deletes sealed rows from before then, the oldest links first, and remembers the last of them. Answers how many. */
export async function pruneAudit(db: Db, before: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
  const last = await sql<{ seal_no: number; hash: Buffer }>`
    select seal_no, hash from audit_entry where seal_no is not null
      and seal_no < coalesce((select min(seal_no) from audit_entry where at >= ${before} and seal_no is not null), 9223372036854775807)
    order by seal_no desc limit 1`.execute(db);
  const link = last.rows[0];
  if (!link) return 0;
  const value = JSON.stringify({ hash: link.hash.toString('hex'), sealNo: link.seal_no });
  await db
    .insertInto('settings_value')
    .values({ type: ANCHOR, value })
    .onConflict((on) => on.column('type').doUpdateSet({ value }))
    .execute();
  const gone = await sql`delete from audit_entry where seal_no <= ${link.seal_no}`.execute(db);
  return Number(gone.numAffectedRows ?? 0);
}

/** The id of the first row whose hash doesn't follow from the row before it; undefined where the chain holds. */
export async function firstBrokenLink(db: Db): Promise<number | undefined> {
  let { hash: prev, sealNo: after } = await anchorOf(db);
  for (;;) {
    const rows = await sql<Row & { hash: Buffer; seal_no: number }>`
      select id, seal_no, hash, ${line} as line from audit_entry where seal_no > ${after} order by seal_no limit ${BATCH}`.execute(db);
    for (const row of rows.rows) {
      prev = link(prev, row.line);
      if (row.seal_no !== after + 1 || !prev.equals(row.hash)) return row.id;
      after = row.seal_no;
    }
    if (rows.rows.length < BATCH) return undefined;
  }
}
