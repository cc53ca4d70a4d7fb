import { machine } from '../kit/life.ts';

/** One event on its way to one address. */
export const webhookLife = machine('webhook', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'wait', about: 'Will be sent, or tried again.' },
    sending: { tone: 'busy', about: 'Under way.' },
    done: { tone: 'good', about: 'The receiver answered with a success.' },
    failed: { tone: 'bad', about: 'Given up after a day of tries.' },
  },
  events: {
    take: { from: ['waiting', 'sending'], to: 'sending' },
    succeed: { from: ['sending'], to: 'done' },
    putOff: { from: ['sending'], to: 'waiting' },
    giveUp: { from: ['sending'], to: 'failed' },
    replay: { from: ['done', 'failed'], to: 'waiting' },
  },
});
