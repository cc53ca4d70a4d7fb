import { machine } from '../kit/state-machine.ts';

/** Design 2, "Organisation": a unit from its application to its end. */
export const orgMachine = machine('org', {
  initial: ['applied', 'enabled'],
  states: {
    applied: { tone: 'wait', about: 'Applied for, and waits for a decision.' },
    refused: { tone: 'bad', about: 'Was not let in; its manager may hand it in again.' },
    enabled: { tone: 'good', about: 'Works.' },
    disabled: { tone: 'bad', about: 'Its people can not sign in, here and below; its terminals stay connected.' },
    closed: { tone: 'ended', about: 'Merged into another unit; its history stays readable.' },
  },
  events: {
    approve: { from: ['applied'], to: 'enabled' },
    refuse: { from: ['applied'], to: 'refused' },
    resubmit: { from: ['refused'], to: 'applied' },
    withdraw: { from: ['applied', 'refused'], to: 'closed' },
    disable: { from: ['enabled'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'enabled' },
    merge: { from: ['enabled', 'disabled'], to: 'closed' },
  },
});

/** One organisation gives its management to another for a term (design 2, two-sided rows). */
export const trustMachine = machine('trust', {
  initial: 'active',
  states: {
    active: { tone: 'good', about: 'The trustee manages the organisation until its term ends.' },
    ended: { tone: 'ended', about: 'Ended by one of the two sides.' },
    expired: { tone: 'ended', about: 'Its term is over.' },
  },
  events: {
    end: { from: ['active'], to: 'ended' },
    expire: { from: ['active'], to: 'expired' },
  },
});

/** An invitation to register an organisation: one use, until its day. */
export const deptInviteMachine = machine('deptInvite', {
  initial: 'open',
  states: {
    open: { tone: 'idle', about: 'Sent; waits for the organisation to register.' },
    used: { tone: 'good', about: 'The organisation has registered with it.' },
    withdrawn: { tone: 'ended', about: 'Taken back; its link opens nothing.' },
    expired: { tone: 'ended', about: 'Its time is over.' },
  },
  events: {
    use: { from: ['open'], to: 'used' },
    withdraw: { from: ['open'], to: 'withdrawn' },
    expire: { from: ['open'], to: 'expired' },
  },
});
