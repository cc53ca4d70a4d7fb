import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../context.ts';
import type { SealKeys } from './seal-keys.ts';

const HeadText = z.object({
  v: z.literal(1),
  head: z.int().positive(),
  date: z.iso.datetime(),
  lastId: z.int(),
  sealNo: z.int(),
  count: z.int(),
  chain: z.string(),
  previous: z.string(),
  /** Of the first: rows up to here were there without any head, and nothing proves them. */
  unproved: z.int().optional(),
  /** Whoever runs the server takes rows up to here for true. */
  adopted: z.int().optional(),
});
/** What the chain had come to on a day: id and seal number of the last row, how many since the head before, its hash, and the head before. */
export type Head = z.infer<typeof HeadText>;

/** A head as it is kept, exported and checked: the very text that was signed. */
export interface SignedHead {
  readonly number: number;
  readonly signed: string;
  readonly signature: Buffer;
}

export const hashOfHead = (signed: string): string => hash('sha256', signed, 'hex');

export async function readHeads(db: Db): Promise<SignedHead[]> {
  const found = await sql<SignedHead>`select number, signed, signature from audit_head order by number`.execute(db);
  return found.rows;
}

/** The first or the newest of them, its text read; undefined where there is none, or it isn't ours. */
export async function headAt(db: Db, keys: SealKeys, which: 'first' | 'last'): Promise<(Head & { signed: string }) | undefined> {
  const found = await sql<SignedHead>`
    select number, signed, signature from audit_head order by number ${sql.raw(which === 'first' ? 'asc' : 'desc')} limit 1`.execute(db);
  const [row] = found.rows;
  const head = row && openHead(keys, row);
  return head && row && { ...head, signed: row.signed };
}

/** What a head says, if the signature is ours. */
export function openHead(keys: SealKeys, { signed, signature }: Pick<SignedHead, 'signed' | 'signature'>): Head | undefined {
  if (!keys.isSigned(signed, signature)) return undefined;
  return HeadText.safeParse(JSON.parse(signed)).data;
}

export async function addHead(db: Db, keys: SealKeys, of: Omit<Head, 'v'>): Promise<string> {
  const signed = JSON.stringify({ v: 1, ...of });
  await sql`insert into audit_head (number, made_at, seal_no, signed, signature)
    values (${of.head}, ${of.date}::timestamptz, ${of.sealNo}, ${signed}, ${keys.sign(signed)}) on conflict do nothing`.execute(db);
  return signed;
}

/** The document with which outsiders check the log: `signature` is Ed25519 over the bytes of `signed`. */
export const exportHeads = (keys: SealKeys, heads: readonly SignedHead[]) => ({
  product: 'mooring',
  keyId: keys.keyId,
  publicKey: keys.publicKey,
  heads: heads.map(({ signed, signature }) => ({ signed, signature: signature.toString('base64') })),
});
export const Exported = z.object({ heads: z.array(z.object({ signed: z.string(), signature: z.string() })) });
