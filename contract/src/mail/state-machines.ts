import { machine } from '../kit/state-machine.ts';

/** A mail or text message on its way out. */
export const mailMachine = machine('mail', {
  initial: ['waiting', 'kept'],
  states: {
    waiting: { tone: 'idle', about: 'Will be sent, or tried again after a failure.' },
    sending: { tone: 'busy', about: 'Handed to the server this moment.' },
    sent: { tone: 'good', about: 'The server took it.' },
    failed: { tone: 'bad', about: 'Refused, or tried too often; the reason is kept.' },
    kept: { tone: 'kept', about: 'No server is set up: it is read here instead.' },
  },
  events: {
    take: { from: ['waiting'], to: 'sending' },
    // Its process ended in the middle, so nobody knows whether it went out.
    takeAgain: { from: ['sending'], to: 'sending' },
    succeed: { from: ['sending'], to: 'sent' },
    putOff: { from: ['sending'], to: 'waiting' },
    fail: { from: ['sending'], to: 'failed' },
    keep: { from: ['waiting'], to: 'kept' },
    resend: { from: ['failed', 'kept'], to: 'waiting' },
  },
});
