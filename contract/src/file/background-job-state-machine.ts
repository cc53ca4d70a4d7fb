import { machine } from '../kit/state-machine.ts';

/** Long work in the background: exports, bulk acts, imports (task centre). */
export const backgroundJobMachine = machine('work', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'idle', about: 'Waits for its turn.' },
    running: { tone: 'busy', about: 'Is being done.' },
    done: { tone: 'good', about: 'Done; a file waits to be downloaded until it expires.' },
    failed: { tone: 'bad', about: 'Failed, with its reason; may be tried again.' },
    cancelled: { tone: 'ended', about: 'Cancelled by its owner.' },
    expired: { tone: 'ended', about: 'Its file was deleted after its time.' },
  },
  events: {
    start: { from: ['waiting', 'running'], to: 'running' },
    finish: { from: ['running'], to: 'done' },
    fail: { from: ['waiting', 'running'], to: 'failed' },
    cancel: { from: ['waiting', 'running'], to: 'cancelled' },
    expire: { from: ['done'], to: 'expired' },
    retry: { from: ['failed', 'cancelled', 'expired'], to: 'waiting' },
  },
});
