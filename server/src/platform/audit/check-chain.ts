import type { Bad, ChainReport } from '@mooring/contract/audit-log/proof';
import type { Db } from '../context.ts';
import { type Head, hashOfHead, openHead, readHeads, type SignedHead } from './heads.ts';
import { anchorOf, link, linksAfter, type Sealed, unprovedBy } from './seal-chain.ts';
import { isSame, type SealKeys } from './seal-keys.ts';
import type { Tip } from './seal-tip.ts';

const MOST = 200;

interface Against {
  readonly keys: SealKeys;
  /** What this process saw last. */
  readonly tip?: Tip | undefined;
  /** Heads that were exported before. */
  readonly exported?: readonly Pick<SignedHead, 'signed' | 'signature'>[];
}

/** Ranges of seal numbers with what is wrong there; neighbours of a kind become one. */
function makeList() {
  const bad: Bad[] = [];
  let rest = 0;
  return {
    bad,
    add(kind: Bad['kind'], from: number, to: number, id: number | null = null) {
      const last = bad.at(-1);
      if (last?.kind === kind && last.to + 1 >= from && from >= last.from) {
        last.to = Math.max(to, last.to);
        last.toId = id ?? last.toId;
      } else if (bad.length < MOST) bad.push({ kind, from, to, fromId: id, toId: id });
      else rest += 1;
    },
    more: () => rest,
  };
}

/**
 * Follows the log from its first link to its last: each row against its hash, its seal and the row before it, the signed heads against the rows,
 * and the end against what was seen of it. Goes on behind what is bad, so that all of it is named.
 */
export async function checkChain(db: Db, { keys, tip, exported = [] }: Against): Promise<ChainReport> {
  const list = makeList();
  const { heads, count } = checkHeads(keys, await readHeads(db), exported, list.add);
  const anchor = await anchorOf(db);
  const begun = heads.find((head) => head.head === 1);
  const unproved = unprovedBy(heads);
  if (unproved > 0) list.add('unproved', 1, unproved);
  if (anchor.sealNo > unproved && !isSame(anchor.seal, keys.anchor(anchor))) list.add('begin', 1, anchor.sealNo);
  const headAt = new Map(heads.map((head) => [head.sealNo, head]));
  let prev: { sealNo: number; hash: Buffer } = anchor;
  let isKnown = true;
  let [rows, from, to, trusted]: [number, Date | null, Date | null, Date | null] = [0, null, null, null];
  for await (const row of linksAfter(db, anchor.sealNo)) {
    const before = list.bad.length;
    if (row.sealNo > prev.sealNo + 1) {
      list.add('missing', prev.sealNo + 1, row.sealNo - 1);
      isKnown = false;
    }
    if (isChanged(row, isKnown ? prev.hash : undefined)) list.add('changed', row.sealNo, row.sealNo, row.id);
    else if (row.sealNo > (begun?.sealNo ?? 0) && !isSame(row.seal, keys.row(row, row.line)))
      list.add(row.seal ? 'changed' : 'unsealed', row.sealNo, row.sealNo, row.id);
    else if (tip?.sealNo === row.sealNo && tip.hash !== row.hash.toString('hex')) list.add('changed', row.sealNo, row.sealNo, row.id);
    const head = headAt.get(row.sealNo);
    if (head && head.chain !== row.hash.toString('hex')) list.add('head', row.sealNo - head.count + 1, row.sealNo, row.id);
    [prev, isKnown, rows, from, to] = [row, true, rows + 1, from ?? row.at, row.at];
    if (before === 0 && list.bad.length === 0) trusted = row.at;
  }
  const end = Math.max(tip?.sealNo ?? 0, ...heads.map((head) => head.sealNo));
  if (end > prev.sealNo) list.add('missing', prev.sealNo + 1, end);
  if (tip && tip.head > count) list.add('heads', count + 1, tip.head);
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    rows,
    from: iso(from),
    to: iso(to),
    trustedTo: iso(trusted),
    sealedFrom: begun?.date ?? null,
    lastHead: heads.at(-1)?.date ?? null,
    heads: count,
    bad: list.bad,
    more: list.more(),
  };
}

const isChanged = (row: Sealed, prev: Buffer | undefined) => prev !== undefined && !isSame(row.hash, link(prev, row.line));

/** Each head is signed by us, follows the one before, and is the one that was exported. */
function checkHeads(
  keys: SealKeys,
  found: readonly SignedHead[],
  exported: readonly Pick<SignedHead, 'signed' | 'signature'>[],
  add: (kind: Bad['kind'], from: number, to: number) => void,
): { heads: Head[]; count: number } {
  const heads: Head[] = [];
  const texts = new Set<string>();
  let [number, before] = [0, ''];
  for (const one of found) {
    const head = openHead(keys, one);
    const follows = head?.head === one.number && one.number === number + 1 && head.previous === before;
    if (head && follows) heads.push(head);
    else add('heads', number + 1, one.number);
    texts.add(one.signed);
    [number, before] = [one.number, hashOfHead(one.signed)];
  }
  for (const one of exported) {
    const head = openHead(keys, one);
    if (!head) add('foreign', 0, 0);
    else if (!texts.has(one.signed)) {
      add('heads', head.head, head.head);
      heads.push(head);
    }
  }
  return { heads: heads.sort((a, b) => a.head - b.head), count: number };
}
