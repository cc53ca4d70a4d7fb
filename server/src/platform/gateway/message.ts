import { readableApps } from '@mooring/contract/device/installed-apps';
import { mostBytes, PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import { readableLines } from '@mooring/contract/device/log/log-lines';
import { Envelope, momentOf, type Up, upMessages } from '@mooring/contract/device/messages';
import { readTopic, type UpKind, upKinds } from '@mooring/contract/device/topics';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { noTextAt, tooDeep } from '../plain-value.ts';

/** A message of a terminal, read and whose device is known. */
export interface UpMessage<K extends UpKind = UpKind> {
  readonly sn: string;
  readonly deviceId: number;
  readonly deptPath: string;
  /** Message id, given by the terminal. */
  readonly id: string;
  /** The terminal's own time, kept beside ours. */
  readonly at: Date;
  readonly receivedAt: Date;
  readonly data: Up[K];
}

/**
 * Takes messages of one kind, in batches, inside one transaction past the range policy; acks go out after its commit. A batch may
 * come again after a fault, and a terminal repeats what wasn't acknowledged: a handler must be harmless when it runs twice. What it refuses
 * is kept and counted after the commit. What it finds out by itself it answers as events, which are heard with those of the batch.
 */
export interface MessageHandler {
  readonly kind: UpKind;
  handle(db: Db, batch: readonly UpMessage[], app: AppContext, refuse?: (refused: Refused) => void): Promise<Found>;
}
/** Events of terminals that no terminal sent. */
type Found = readonly UpMessage<'event'>[] | undefined;
export const onUp = <K extends UpKind>(
  kind: K,
  handle: (db: Db, batch: readonly UpMessage<K>[], app: AppContext, refuse: (refused: Refused) => void) => Promise<Found> | Promise<void>,
): MessageHandler => ({
  kind,
  handle: ((db: Db, batch: readonly UpMessage<K>[], app: AppContext, refuse = () => {}) =>
    handle(db, batch, app, refuse)) as unknown as MessageHandler['handle'],
});

/** A message off the wire, before its device is looked up. */
export interface Taken {
  readonly sn: string;
  readonly kind: UpKind;
  readonly id: string;
  readonly at: Date;
  readonly receivedAt: Date;
  readonly data: unknown;
}
export interface Refused {
  readonly sn: string;
  readonly kind: string;
  readonly reason: string;
  readonly payload: Buffer;
  /** One of many of the same: it is counted and no more is kept of it. */
  readonly countedAlone?: true;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const known: ReadonlySet<string> = new Set(upKinds);

/** Where a message is from and of which kind it is, or why it isn't read. */
export function whereOf(topic: string, payload: Buffer): { sn: string; kind: UpKind } | { refused: Refused } {
  const where = readTopic(topic);
  const refuse = (reason: string) => ({ refused: { sn: where?.sn ?? '', kind: where?.kind ?? topic.slice(0, 64), reason, payload } });
  if (where?.direction !== 'up') return refuse('topic');
  if (payload.length > mostBytes(where.kind)) return refuse('tooLarge');
  return known.has(where.kind) ? { sn: where.sn, kind: where.kind as UpKind } : refuse('unknownKind');
}

/** A name of an app or a line of a log that is no text keeps nothing else out. */
function withReadableTexts(raw: unknown): unknown {
  const data = raw !== null && typeof raw === 'object' && 'data' in raw ? raw.data : undefined;
  if (data === null || typeof data !== 'object') return raw;
  if ('apps' in data) data.apps = readableApps(data.apps);
  if ('lines' in data) data.lines = readableLines(data.lines);
  return raw;
}

/** Reads a message; what can't be read is kept with its reason, and harms nothing. */
export function readMessage(sn: string, kind: UpKind, payload: Buffer, receivedAt: Date): { taken: Taken } | { refused: Refused } {
  const refuse = (reason: string) => ({ refused: { sn, kind, reason, payload } });
  let text: string;
  let raw: unknown;
  try {
    text = decoder.decode(payload);
    raw = JSON.parse(text);
  } catch (error) {
    return refuse(error instanceof SyntaxError ? 'notJson' : 'notUtf8');
  }
  if (tooDeep(raw)) return refuse('tooDeep');
  // Neither NUL nor half a character stands in such a text but escaped.
  if (text.includes('\\u') && noTextAt(kind === 'hello' || kind === 'log' ? withReadableTexts(raw) : raw) !== undefined)
    return refuse('notText');
  const envelope = Envelope.safeParse(raw);
  if (!envelope.success) return refuse(`envelope: ${envelope.error.issues[0]?.path.join('.')}`);
  if (envelope.data.v !== PROTOCOL_VERSION && envelope.data.v !== PROTOCOL_VERSION - 1) return refuse(`version ${envelope.data.v}`);
  const data = upMessages[kind].safeParse(envelope.data.data);
  if (!data.success) return refuse(`data: ${data.error.issues[0]?.path.join('.')} ${data.error.issues[0]?.code}`);
  return { taken: { sn, kind, id: envelope.data.id, at: momentOf(envelope.data.at), receivedAt, data: data.data } };
}

/** The same for who hands refusals on: nothing where it was refused. */
export function handleMessage(
  refuse: (refused: Refused) => void,
  ...[sn, kind, payload, receivedAt]: Parameters<typeof readMessage>
): Taken | undefined {
  const found = readMessage(sn, kind, payload, receivedAt);
  if ('taken' in found) return found.taken;
  refuse(found.refused);
}
