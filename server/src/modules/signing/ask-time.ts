import { X509Certificate } from 'node:crypto';
import type { Ctx } from '../../platform/context.ts';
import { sendOutside } from '../../platform/outbound/door.ts';
import { readSetting } from '../../platform/settings.ts';
import type { ProfileRow } from './profile-rows.ts';
import { askTime, readTime, type TimeStamp } from './timestamp.ts';

const PATIENCE_MS = 15_000;
const MOST_BYTES = 100_000;

/** The service doesn't answer, or not with an answer: that passes. */
export class TimeAway extends Error {}

export type Stamping = Pick<ProfileRow, 'time_url' | 'time_root'>;

/** When something was there, by the time-stamping service of a profile. Fault: SIGNING_TIME_BAD; TimeAway. */
export async function stampOf(ctx: Ctx, { time_url: url, time_root: root }: Stamping, digest: Buffer): Promise<TimeStamp> {
  const asked = askTime(digest);
  const { timestamps: allowed } = await ctx.unscoped((db) => readSetting(db, 'outbound'));
  const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply', 'user-agent': 'Mooring' };
  const ask = { url, headers, body: asked.bytes, allowed, timeoutMs: PATIENCE_MS, mostBytes: MOST_BYTES };
  const answer = await sendOutside(ask).catch((error: unknown) => {
    throw new TimeAway(error instanceof Error ? error.name : 'unknown');
  });
  if (answer.status !== 200) throw new TimeAway(`status ${answer.status}`);
  return readTime(answer.bytes, asked, new X509Certificate(root));
}
