import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { announce } from './notice-deliver.ts';

const PAUSE_MS = 86_400_000;

interface Sent {
  readonly state: string;
  readonly people: number | null;
  readonly read_count: number;
  readonly reminded_at: Date | null;
}
/** What keeps its readers from being reminded: nobody has it, everybody has read it, or they were within a day. */
export function noReminder(row: Sent, ctx: Pick<Ctx, 'now'>): string | undefined {
  if (row.state !== 'published' || row.people === null) return 'NOTICE_NOT_OUT';
  if (row.read_count >= row.people) return 'NOTICE_ALL_READ';
  const isEarly = row.reminded_at !== null && row.reminded_at.getTime() + PAUSE_MS > ctx.now().getTime();
  return isEarly ? 'NOTICE_REMINDED' : undefined;
}

/** Asks for it; two at once ask once. Answers the notice's title. */
export async function remind(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('message_notice')
    .select(['title', 'state', 'people', 'read_count', 'reminded_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  const kept = noReminder(row, ctx);
  if (kept) throw new Fault(kept);
  await ctx.db.updateTable('message_notice').set({ reminded_at: ctx.now(), remind_waits: true }).where('id', '=', id).execute();
  await announce(ctx.db, id);
  return row.title;
}
