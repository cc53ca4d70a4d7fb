import { FEED_BYTES, FeedPage, FeedTerminal } from '@mooring/contract/inventory/asset-feed';
import { Fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { sendOutside } from '../../../platform/outbound/door.ts';

/** Others wait for their turn meanwhile. */
const PATIENCE_MS = 15_000;

export interface Feed {
  readonly url: string;
  readonly token: string | undefined;
  readonly allowed: readonly string[];
}
export type FeedRow = z.output<typeof FeedTerminal>;
export interface FeedPart {
  /** Each serial number once: the first word counts. */
  readonly rows: readonly FeedRow[];
  readonly received: number;
  readonly unreadable: number;
  readonly next: string | undefined;
}

function pageIn(text: string): z.output<typeof FeedPage> {
  try {
    return FeedPage.parse(JSON.parse(text));
  } catch {
    throw new Fault('SYNC_ANSWER');
  }
}

async function ask({ url, token, allowed }: Feed, cursor: string | null): Promise<z.output<typeof FeedPage>> {
  const target = new URL(url);
  if (cursor !== null) target.searchParams.set('cursor', cursor);
  const headers = { accept: 'application/json', 'user-agent': 'Mooring', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const asked = { url: String(target), method: 'GET', headers, allowed, timeoutMs: PATIENCE_MS, mostBytes: FEED_BYTES + 1 };
  const answer = await sendOutside(asked).catch((error: unknown) => {
    throw error instanceof Fault ? error : new Fault('SYNC_UNREACHABLE');
  });
  if (answer.status === 401 || answer.status === 403) throw new Fault('SYNC_SIGN_IN');
  if (answer.status !== 200) throw new Fault('SYNC_STATUS');
  if (answer.text.length > FEED_BYTES) throw new Fault('SYNC_ANSWER');
  return pageIn(answer.text);
}

/** One answer of an asset register. Faults: ADDRESS_NOT_PUBLIC, SYNC_UNREACHABLE, SYNC_SIGN_IN, SYNC_STATUS, SYNC_ANSWER. */
export async function readFeed(feed: Feed, cursor: string | null): Promise<FeedPart> {
  const { terminals, next } = await ask(feed, cursor);
  const rows = new Map<string, FeedRow>();
  let unreadable = 0;
  for (const one of terminals) {
    const read = FeedTerminal.safeParse(one);
    if (read.success && !rows.has(read.data.sn)) rows.set(read.data.sn, read.data);
    else unreadable += 1;
  }
  return { rows: [...rows.values()], received: terminals.length, unreadable, next: next ?? undefined };
}
