import { machine } from '../kit/state-machine.ts';

/** A test that a terminal makes of its own parts. */
export const hardwareTestMachine = machine('hardwareTest', {
  initial: 'requested',
  states: {
    requested: { tone: 'idle', about: 'The terminal has not begun yet; it may be away.' },
    running: { tone: 'busy', about: 'The terminal tests its parts.' },
    passed: { tone: 'good', about: 'Every part that the terminal has works.' },
    failed: { tone: 'bad', about: 'A part doesn’t work, or the terminal could not test.' },
    expired: { tone: 'ended', about: 'Its time passed without a result.' },
    cancelled: { tone: 'ended', about: 'Taken back before it ended, or the terminal is another’s by now.' },
  },
  events: {
    start: { from: ['requested'], to: 'running' },
    pass: { from: ['requested', 'running'], to: 'passed' },
    fail: { from: ['requested', 'running'], to: 'failed' },
    expire: { from: ['requested', 'running'], to: 'expired' },
    cancel: { from: ['requested', 'running'], to: 'cancelled' },
  },
});
