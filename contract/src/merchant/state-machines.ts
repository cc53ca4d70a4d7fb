import { machine } from '../kit/state-machine.ts';

/** Work on a terminal. What is done stays as it was written. */
export const maintenanceMachine = machine('maintenance', {
  initial: 'open',
  states: {
    open: { tone: 'busy', about: 'Somebody has to work on the terminal, or is at it.' },
    done: { tone: 'good', about: 'The work is done; the record stays as it is.' },
  },
  events: { finish: { from: ['open'], to: 'done' } },
});
