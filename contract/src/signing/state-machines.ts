import { machine } from '../kit/state-machine.ts';

/** A key that signs. Nothing but its being stopped happens by one person alone. */
export const signingKeyMachine = machine('signingKey', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'wait', about: 'Made or imported by one person; it signs nothing before a second one agrees.' },
    active: { tone: 'good', about: 'Signs what is asked for and approved.' },
    suspended: { tone: 'bad', about: 'Stopped for now.' },
    retired: { tone: 'ended', about: 'Signs no more; kept for what was signed with it.' },
    destroyed: { tone: 'ended', about: 'Its private half is gone for good.' },
  },
  events: {
    activate: { from: ['waiting'], to: 'active' },
    giveUp: { from: ['waiting'], to: 'destroyed' },
    suspend: { from: ['active'], to: 'suspended' },
    resume: { from: ['suspended'], to: 'active' },
    retire: { from: ['active', 'suspended'], to: 'retired' },
    destroy: { from: ['active', 'suspended', 'retired'], to: 'destroyed' },
  },
});

/** One file that is to be signed with one key. */
export const signingJobMachine = machine('signingJob', {
  initial: 'requested',
  states: {
    requested: { tone: 'wait', about: 'Waits for a second person.' },
    approved: { tone: 'idle', about: 'Waits for its turn.' },
    signing: { tone: 'busy', about: 'Is being signed.' },
    waiting: { tone: 'wait', about: 'Its checksums are out; waits for the signatures that are made elsewhere.' },
    signed: { tone: 'good', about: 'Signed; its requester may download it for a week.' },
    failed: { tone: 'bad', about: 'Could not be signed, with its reason.' },
    refused: { tone: 'ended', about: 'Refused by a second person.' },
    withdrawn: { tone: 'ended', about: 'Taken back by its requester.' },
    expired: { tone: 'ended', about: 'Nobody decided within seven days, or no signature came within thirty.' },
  },
  events: {
    approve: { from: ['requested'], to: 'approved' },
    refuse: { from: ['requested'], to: 'refused' },
    withdraw: { from: ['requested', 'waiting'], to: 'withdrawn' },
    expire: { from: ['requested', 'waiting'], to: 'expired' },
    // A server that ended in the middle begins again.
    begin: { from: ['approved', 'signing'], to: 'signing' },
    // By an external profile: its key is with somebody else.
    ask: { from: ['signing'], to: 'waiting' },
    deliver: { from: ['waiting'], to: 'approved' },
    finish: { from: ['signing'], to: 'signed' },
    fail: { from: ['approved', 'signing'], to: 'failed' },
  },
});
