import type { Service } from '../../../platform/module.ts';
import { carryOutNext } from './carry-out.ts';
import type { DifferenceSource } from './source.ts';
import type { Bytes } from './tools.ts';

const TICK_MS = 1000;

/** Makes differences one after the other, in a process of their own. No job: a job that takes an hour would keep the others waiting, and the stop of the server. */
export const differenceService = (bytes: Bytes, sources: readonly DifferenceSource[]): Service => ({
  of: 'worker',
  name: 'differences',
  start(app) {
    const stopping = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const tick = () => {
      running = carryOutNext(app, bytes, sources, stopping.signal)
        .catch((error: unknown) => {
          app.log.warn({ error: String(error) }, 'differences wait');
          return false;
        })
        .then((more) => {
          if (!stopping.signal.aborted) timer = setTimeout(tick, more ? 0 : TICK_MS);
        });
    };
    tick();
    return async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    };
  },
});
