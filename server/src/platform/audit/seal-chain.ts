import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

const BATCH = 1000;
const LOCK = 7_101;

type Row = { id: number; line: string };

/** What is hashed of a row: everything but the hashes, in one canonical text made by the database. */
const line = sql<string>`jsonb_build_array(id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), request_id, actor_id, actor_name, dept_path, platform, ip, call, target, input, before, after, result)::text`;

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
  let prev: Buffer = last.rows[0]?.hash ?? Buffer.alloc(32);
  const first = (last.rows[0]?.seal_no ?? 0) + 1;
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

/** The id of the first row whose hash doesn't follow from the row before it; undefined where the chain holds. */
export async function firstBrokenLink(db: Db): Promise<number | undefined> {
  let prev: Buffer = Buffer.alloc(32);
  let after = 0;
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
