import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../platform/app-context.ts';
import type { Service } from '../../platform/module.ts';
import { forwardDue, isAnyDue, Lines } from './forward.ts';
import { registerDue } from './register.ts';

const TICK_MS = 1000;
/** A connection that nothing goes over is closed. */
const IDLE_MS = 30_000;
/** Platforms that are sent to beside each other: a slow one holds up none but itself. */
const FORWARDERS = 4;

/** The same again and again, at once where something was done. Answers how it is ended. */
function repeat(app: AppContext, once: () => Promise<number>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const tick = () => {
    running = once()
      .catch((error: unknown) => {
        app.log.warn({ error: String(error) }, 'messages not forwarded; trying again');
        return 0;
      })
      .then((done) => {
        if (!stopped) timer = setTimeout(tick, done > 0 ? 0 : TICK_MS);
      });
  };
  tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

export const iotService: Service = {
  of: 'worker',
  name: 'customer:forward',
  start(app) {
    const lines = new Lines();
    let busy = 0;
    let usedAt = 0;
    let lookedAt = -TICK_MS;
    let found: Promise<boolean> = Promise.resolve(false);
    /** One looks for all of them: they have the same clock. */
    const look = () => {
      if (performance.now() - lookedAt < TICK_MS / 2) return found;
      lookedAt = performance.now();
      found = isAnyDue(app);
      return found;
    };
    const send = (me: string) => {
      busy += 1;
      return forwardDue(app, lines, me, 1).finally(() => {
        busy -= 1;
      });
    };
    const forward = async (me: string) => {
      const done = (await look()) ? await send(me) : 0;
      if (done > 0) usedAt = performance.now();
      else if (busy === 0 && performance.now() - usedAt > IDLE_MS) lines.close();
      return done;
    };
    const ends = Array.from({ length: FORWARDERS }, () => {
      const me = randomUUID();
      return repeat(app, () => forward(me));
    });
    ends.push(repeat(app, () => registerDue(app)));
    return async () => {
      await Promise.all(ends.map((end) => end()));
      lines.close();
    };
  },
};
