import { type LogLevel, type LogLine, levelsFrom } from '@mooring/contract/device/log/log-lines';

/** Which lines are asked for: the newest so many of those that match. */
export interface LogAsked {
  readonly lines: number;
  readonly level?: LogLevel | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
export type KeptLine = LogLine & { readonly at: string };

/** What a terminal writes down of its work, the newest lines of it. */
export interface RunLog {
  add(level: LogLevel, tag: string, text: string, at?: Date): void;
  select(asked: LogAsked): KeptLine[];
  /** Told of each line as it is written. */
  listener?: ((line: KeptLine) => void) | undefined;
}

const KEPT = 2000;

export function makeRunLog(): RunLog {
  const lines: KeptLine[] = [];
  const log: RunLog = {
    add(level, tag, text, at = new Date()) {
      const line = { at: at.toISOString(), level, tag, text };
      lines.push(line);
      if (lines.length > KEPT) lines.shift();
      log.listener?.(line);
    },
    select: (asked) => selected(lines, asked),
  };
  return log;
}

/** Of lines in their order those that are asked for. */
export function selected<L extends LogLine>(lines: readonly L[], { lines: most, level, from, to }: LogAsked): L[] {
  const levels = levelsFrom(level ?? 'debug');
  const [first, last] = [from === undefined ? -Infinity : Date.parse(from), to === undefined ? Infinity : Date.parse(to)];
  const isIn = (at: string | undefined) => at === undefined || (Date.parse(at) >= first && Date.parse(at) <= last);
  return lines.filter((line) => levels.includes(line.level) && isIn(line.at)).slice(-most);
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);
/** What a command asks for, as far as it can be read. */
export const askedIn = (params: Readonly<Record<string, unknown>>): LogAsked => ({
  lines: Math.max(1, Math.trunc(Number(params.lines)) || 500),
  level: levelsFrom('debug').find((level) => level === params.level),
  from: asText(params.from),
  to: asText(params.to),
});
