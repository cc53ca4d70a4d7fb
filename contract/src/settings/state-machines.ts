import { machine } from '../kit/state-machine.ts';

/** One event on its way to one address. */
export const webhookMachine = machine('webhook', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'idle', about: 'Will be sent, or tried again.' },
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

/** A change that decides who may sign in, until somebody else than its author has decided on it. */
export const changeRequestMachine = machine('changeRequest', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'wait', about: 'Waits for a second person.' },
    approved: { tone: 'good', about: 'Approved, and in effect since then.' },
    refused: { tone: 'bad', about: 'Refused; nothing was changed.' },
    withdrawn: { tone: 'ended', about: 'Taken back by its author, or replaced by a later one.' },
    expired: { tone: 'ended', about: 'Nobody decided within seven days.' },
  },
  events: {
    approve: { from: ['waiting'], to: 'approved' },
    refuse: { from: ['waiting'], to: 'refused' },
    withdraw: { from: ['waiting'], to: 'withdrawn' },
    expire: { from: ['waiting'], to: 'expired' },
  },
});
