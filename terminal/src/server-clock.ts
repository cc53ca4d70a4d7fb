/** The server's time, as far as the terminal heard of it: its own clock may be years off, after a battery died. */
export interface ServerClock {
  observe(at: string): void;
  now(): Date;
}

/** Runs on from what was heard last by a time that nobody sets. */
export function serverClock(): ServerClock {
  let heard: { readonly at: number; readonly since: number } | undefined;
  return {
    observe(at) {
      const ms = Date.parse(at);
      if (Number.isFinite(ms)) heard = { at: ms, since: performance.now() };
    },
    now: () => (heard ? new Date(heard.at + performance.now() - heard.since) : new Date()),
  };
}
