import { type DestinationStream, type Logger, pino } from 'pino';

/** What an installation leans on, and how an error tells that it is away. The object store says its own name, so it comes first. */
const away = {
  'object store': /the object store (doesn't answer|answers \d)/,
  database:
    /Connection terminated|timeout exceeded when trying to connect|terminating connection|the database system is|Client has encountered a connection error|connection to server|database connection lost|(ECONNREFUSED|ENOENT).*(PGSQL|:\d+)|ECONNRESET/,
} as const;
type Support = keyof typeof away;

export interface Log {
  readonly log: Logger;
  /** It answers: where it was away, that is said, once. */
  answers(what: Support): void;
}

/** An error says nothing of itself as JSON. */
const textOf = (args: readonly unknown[]) =>
  JSON.stringify(args, (_key, value: unknown) =>
    value instanceof Error ? `${value.message} ${(value as { code?: string }).code ?? ''}` : value,
  );
const WARN = 40;
const supportOf = (text: string) => (Object.keys(away) as Support[]).find((what) => away[what].test(text));

/**
 * Structured lines with the names of their levels. While the database or the store is away every loop and every call meets it: that is said when it begins
 * and when it is over; the rest is said on `debug`.
 */
export function makeLog(level: string, destination: DestinationStream): Log {
  const since = new Map<Support, number>();
  const log: Logger = pino(
    {
      level,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method, number) {
          const what = number >= WARN ? supportOf(textOf(args)) : undefined;
          if (!what) return method.apply(this, args);
          if (since.has(what)) return log.debug(...(args as Parameters<Logger['debug']>));
          since.set(what, performance.now());
          method.apply(this, args);
          return log.warn({ away: what }, `the ${what} is away; until it answers, what meets it is said on debug only`);
        },
      },
    },
    destination,
  );
  return {
    log,
    answers(what) {
      const began = since.get(what);
      if (began === undefined) return;
      since.delete(what);
      log.warn({ away: what, seconds: Math.round((performance.now() - began) / 1000) }, `the ${what} answers again`);
    },
  };
}
