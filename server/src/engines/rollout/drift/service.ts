import type { Service } from '../../../platform/module.ts';
import type { RolloutKind } from '../task.ts';
import { lookAtDrift } from './look.ts';

const TICK_MS = 1000;
const SOON_MS = 20;

/** Compares by itself, beside the clockwork of releases: nothing that is to be sent waits for it. */
export const driftService = (kinds: readonly RolloutKind[]): Service => ({
  of: 'worker',
  name: 'drift',
  start(app) {
    let stopped = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const tick = () => {
      running = lookAtDrift(app, kinds)
        .catch((error: unknown) => {
          app.log.warn({ error: String(error) }, 'drift waits for its next look');
          return false;
        })
        .then((more) => {
          if (!stopped) timer = setTimeout(tick, more ? SOON_MS : TICK_MS);
        });
    };
    tick();
    return async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    };
  },
});
