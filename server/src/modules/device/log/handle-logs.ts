import { linesOfText } from '@mooring/contract/device/log/log-lines';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { onUp, type UpMessage } from '../../../platform/gateway/message.ts';
import { invalidatePaths } from '../../../platform/live/invalidate-paths.ts';
import { DEVICES } from '../device-rows.ts';
import { keepLines, type NewLine, withinBudget, withinPull } from './keep-lines.ts';

const LOGS = '/device/runLog';
const LOG_PARTS = 200;

type LogMessage = UpMessage<'log'>;
/** A piece of a text, by its place in it. */
interface Piece extends Pick<LogMessage, 'deviceId' | 'deptPath' | 'sn'> {
  readonly key: string;
  readonly part: number;
  readonly last: boolean;
  readonly text: string;
}
function pieceOf({ deviceId, deptPath, sn, data: { to: key, part, last, text } }: LogMessage): Piece[] {
  if (key === undefined || part === undefined || last === undefined || text === undefined || part >= LOG_PARTS) return [];
  return [{ deviceId, deptPath, sn, key, part, last, text }];
}

interface Asked {
  readonly key: string;
  readonly device_id: number;
}

/** Commands of these devices that asked for a log, among what they name. */
async function askedFor(db: Db, named: readonly { deviceId: number; to: string }[]): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const { rows } = await sql<Asked>`
    select o.key, o.device_id from unnest(${named.map((one) => one.to)}::text[], ${named.map((one) => one.deviceId)}::bigint[]) as a(key, device_id)
    join gateway_outbox o on o.key = a.key and o.device_id = a.device_id where o.topic = 'command' and o.kind = 'logPull'`.execute(db);
  return new Set(rows.map((row) => `${row.device_id} ${row.key}`));
}

/** Text of which all pieces are here now, as lines. */
async function linesOfPieces(db: Db, pieces: readonly Piece[]): Promise<(NewLine & { readonly pull: string })[]> {
  const rows = JSON.stringify(pieces.map(({ deviceId, key, part, last, text }) => ({ device_id: deviceId, key, part, last, text })));
  const kept = await sql<Asked>`
    insert into device_log (device_id, key, part, last, text)
    select l.device_id, l.key, l.part, l.last, l.text
    from jsonb_to_recordset(${rows}::jsonb) as l(device_id bigint, key text, part int, last boolean, text text)
    on conflict do nothing returning device_id, key`.execute(db);
  const keys = [...new Set(kept.rows.map((row) => row.key))];
  if (keys.length === 0) return [];
  const whole = await sql<{ key: string; text: string }>`
    select key, string_agg(text, '' order by part) as text from device_log where key = any(${keys}::text[])
    group by key having count(*) = max(part) filter (where last) + 1`.execute(db);
  const texts = new Map(whole.rows.map((row) => [row.key, row.text]));
  const senders = new Map(pieces.map((one) => [one.key, one]));
  const zoned = await sql<{ id: number; time_zone: string | null }>`
    select id, time_zone from device where id = any(${pieces.map((one) => one.deviceId)}::bigint[])`.execute(db);
  const zones = new Map(zoned.rows.map((row) => [row.id, row.time_zone]));
  return [...texts].flatMap(([key, text]) => {
    const from = senders.get(key);
    return from ? linesOfText(text, zones.get(from.deviceId) ?? 'UTC').map((line) => ({ from, line, pull: key })) : [];
  });
}

/** What terminals write down: of their own accord within what is kept of an hour, and whatever a command asked for. Repeated ones were dropped before. */
export const handleLogs = onUp('log', async (db, batch, app) => {
  const named = batch.flatMap(({ deviceId, data }) => (data.to === undefined ? [] : [{ deviceId, to: data.to }]));
  const asked = await askedFor(db, named);
  const isAsked = ({ deviceId, data }: LogMessage) => asked.has(`${deviceId} ${data.to}`);
  const pulled = batch.filter(isAsked);
  const pushed = batch.filter(({ data }) => data.to === undefined);
  const answers = [
    ...(await linesOfPieces(db, pulled.flatMap(pieceOf))),
    ...pulled.flatMap((from) => (from.data.lines ?? []).map((line) => ({ from, line, pull: from.data.to ?? '' }))),
  ];
  const lines = [...(await withinPull(db, answers)), ...(await withinBudget(db, pushed, app.now()))];
  if (lines.length === 0) return;
  await keepLines(db, lines, app.now());
  await invalidatePaths(
    db,
    app,
    LOGS,
    lines.map(({ from }) => from.deptPath),
  );
  await invalidatePaths(
    db,
    app,
    DEVICES,
    pulled.map((one) => one.deptPath),
  );
});
