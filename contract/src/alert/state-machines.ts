import { machine } from '../kit/state-machine.ts';

/** Something that a rule waits for is so. It ends by itself when it is so no more, or by hand. */
export const alarmMachine = machine('alarm', {
  initial: 'open',
  states: {
    open: { tone: 'bad', about: 'What its rule waits for is so, and nobody has taken it on yet.' },
    acknowledged: { tone: 'busy', about: 'A person has taken it on; it is not told again.' },
    closed: { tone: 'ended', about: 'It is over, by itself or by hand.' },
  },
  events: {
    acknowledge: { from: ['open'], to: 'acknowledged' },
    // It stays open: who else was told, and when, is noted.
    escalate: { from: ['open'], to: 'open' },
    close: { from: ['open', 'acknowledged'], to: 'closed' },
    recover: { from: ['open', 'acknowledged'], to: 'closed' },
  },
});
