import { z } from 'zod';
import { momentOf } from '../../shared/date-range.ts';

const DAY_MS = 86_400_000;

/** From the least to the gravest. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const LogLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof LogLevel>;

/** The level and all graver ones. */
export const levelsFrom = (least: LogLevel): readonly LogLevel[] => logLevels.slice(logLevels.indexOf(least));

/** The setting of a terminal that says from which level on it sends lines by itself; `off` sends none. */
export const LOG_LEVEL_SETTING = 'log.level';
export const PushLevel = z.enum([...logLevels, 'off']);
export type PushLevel = z.infer<typeof PushLevel>;
export const PUSH_LEVEL: PushLevel = 'warn';
/** What a terminal's settings say of it; anything else is as if nothing were set. */
export const pushLevelOf = (values: Readonly<Record<string, unknown>>): PushLevel =>
  PushLevel.safeParse(values[LOG_LEVEL_SETTING]).data ?? PUSH_LEVEL;

export const LOG_TEXT_MOST = 2000;
export const LOG_TAG_MOST = 64;
/** Lines that are kept of what a terminal sends by itself within an hour; the others are counted. */
export const LOG_LINES_HOUR = 2000;

export interface LogLine {
  readonly at?: string | undefined;
  readonly level: LogLevel;
  readonly tag: string;
  readonly text: string;
}

const others: Readonly<Record<string, LogLevel>> = { trace: 'debug', verbose: 'debug', notice: 'info', warning: 'warn', fatal: 'error' };
const levelOf = (said: unknown): LogLevel => {
  const name = String(said).toLowerCase();
  return LogLevel.safeParse(name).data ?? others[name] ?? 'info';
};

// Colours and moves of a console, as whole sequences: what is left of one would be read as text.
const ESCAPE = String.fromCharCode(27);
const consoleCodes = new RegExp(`${ESCAPE}(\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESCAPE}]*(\\u0007|${ESCAPE}\\\\)?|[@-Z\\\\-_])`, 'g');
/** Signs that draw nothing, or turn the direction of what follows: a line must not look like another one. */
const unseen = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A text that nobody vouches for, as it can be kept and shown. */
export function plainLine(text: string, most: number): string {
  // Cut before it is looked through, too: a line may be as long as a message.
  const plain = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(consoleCodes, '')
    .replace(unseen, '')
    .trimEnd();
  const isCut = plain.length > most || text.length > 4 * most;
  return isCut ? `${plain.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : plain;
}

const Moment = z.iso.datetime({ offset: true });

function readableLine(value: unknown): LogLine[] {
  if (value === null || typeof value !== 'object') return [];
  const { at, level, tag, text } = value as Record<string, unknown>;
  if (typeof text !== 'string') return [];
  return [
    {
      at: Moment.safeParse(at).data,
      level: levelOf(level),
      tag: typeof tag === 'string' ? plainLine(tag.replaceAll(/\s+/g, ' '), LOG_TAG_MOST) : '',
      text: plainLine(text, LOG_TEXT_MOST),
    },
  ];
}

/** What an app writes into its log keeps none of the other lines out: what is no line is left away, and what is too long is cut. */
export const readableLines = (said: unknown): unknown => (Array.isArray(said) ? said.flatMap(readableLine) : said);

const Line = z.object({
  at: Moment.optional(),
  level: LogLevel,
  tag: z.string().max(LOG_TAG_MOST),
  text: z.string().max(LOG_TEXT_MOST),
});
export const LogLines = z.preprocess(readableLines, z.array(Line));

const DATED =
  /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)[ \t]+(?:\[?(debug|info|notice|warn|warning|error|fatal)\]?:?[ \t]+)?(.*)$/is;

/** A moment that names no zone is of the terminal's clock on the wall. */
function momentAt(said: string, timeZone: string): number {
  const moment = said.replace(' ', 'T').replace(',', '.');
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(moment)) return Date.parse(moment);
  const at = Date.parse(`${moment}Z`);
  const [day, millis] = [moment.slice(0, 10), at % 60_000];
  if (Number.isNaN(at)) return at;
  try {
    return momentOf(day, Math.floor((at % DAY_MS) / 60_000), timeZone) + millis;
  } catch {
    // A zone that nobody knows.
    return at;
  }
}

/** Lines of a log that came as text, as terminals sent it before they knew lines: a moment at its beginning is the line's. */
export function linesOfText(text: string, timeZone: string): LogLine[] {
  return text.split('\n').flatMap((line): LogLine[] => {
    const plain = plainLine(line, LOG_TEXT_MOST);
    if (plain.trim() === '') return [];
    const [, moment, level, rest] = DATED.exec(plain) ?? [];
    const at = moment === undefined ? Number.NaN : momentAt(moment, timeZone);
    if (Number.isNaN(at) || rest === undefined) return [{ level: 'info', tag: '', text: plain }];
    return [{ at: new Date(at).toISOString(), level: levelOf(level ?? 'info'), tag: '', text: rest }];
  });
}
