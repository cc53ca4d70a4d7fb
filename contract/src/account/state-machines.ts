import { machine } from '../kit/state-machine.ts';

/** Specification section 4: account status 0 enabled, 1 disabled or locked; joining and cancelling are ours (design 2, "User"). */
export const userMachine = machine('user', {
  initial: ['joining', 'enabled'],
  states: {
    joining: { tone: 'wait', about: 'Asked to join and waits for a decision.' },
    refused: { tone: 'bad', about: 'Was not let in.' },
    enabled: { code: '0', tone: 'good', about: 'May sign in.' },
    disabled: { code: '1', tone: 'bad', about: 'May not sign in: disabled by a person, or locked for a time after wrong tries.' },
    cancelled: { tone: 'ended', about: 'Gave up the account; it can be restored for 30 days.' },
  },
  events: {
    approve: { from: ['joining'], to: 'enabled' },
    refuse: { from: ['joining'], to: 'refused' },
    askAgain: { from: ['refused'], to: 'joining' },
    withdraw: { from: ['joining', 'refused'], to: 'cancelled' },
    disable: { from: ['enabled'], to: 'disabled' },
    lock: { from: ['enabled'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'enabled' },
    unlock: { from: ['disabled'], to: 'enabled' },
    cancel: { from: ['enabled'], to: 'cancelled' },
    restore: { from: ['cancelled'], to: 'enabled' },
  },
});

/** Specification section 4, "Real-name states"; the numbering of the later values is ours (design 2, "Real name"). */
export const realNameMachine = machine('realName', {
  initial: 'none',
  states: {
    none: { code: '0', tone: 'idle', about: 'Nothing was handed in.' },
    person: { code: '1', tone: 'good', about: 'A person whose documents were checked.' },
    org: { code: '2', tone: 'good', about: 'An organisation whose documents were checked.' },
    waiting: { code: '3', tone: 'wait', about: 'Handed in, and waits for an auditor.' },
    timedOut: { code: '4', tone: 'bad', about: 'Not decided in time, or its documents ran out.' },
    error: { code: '5', tone: 'bad', about: 'Refused, with a reason for each field.' },
    personToOrg: { code: '6', tone: 'wait', about: 'A checked person who asks to become an organisation.' },
    willTimeOut: { code: '7', tone: 'wait', about: 'Checked, and its documents run out within 30 days.' },
  },
  events: {
    submitPerson: { from: ['none', 'timedOut', 'error'], to: 'waiting' },
    submitOrg: { from: ['none', 'timedOut', 'error'], to: 'waiting' },
    approvePerson: { from: ['waiting'], to: 'person' },
    approveOrg: { from: ['waiting', 'personToOrg'], to: 'org' },
    // A refused renewal is still good until its day; a refused change of kind leaves the person checked.
    refuse: { from: ['waiting', 'personToOrg'], to: ['error', 'willTimeOut', 'person'] },
    timeOut: { from: ['waiting'], to: 'timedOut' },
    toOrg: { from: ['person'], to: 'personToOrg' },
    nearExpiry: { from: ['person', 'org'], to: 'willTimeOut' },
    renew: { from: ['willTimeOut'], to: 'waiting' },
    expire: { from: ['willTimeOut'], to: 'timedOut' },
  },
});

/** An invitation of a person by mail: one use, until its day. */
export const inviteMachine = machine('invite', {
  initial: 'open',
  states: {
    open: { tone: 'idle', about: 'Sent; waits for the person to register.' },
    used: { tone: 'good', about: 'The person has registered with it.' },
    withdrawn: { tone: 'ended', about: 'Taken back; its link opens nothing.' },
    expired: { tone: 'ended', about: 'Its time is over.' },
  },
  events: {
    use: { from: ['open'], to: 'used' },
    withdraw: { from: ['open'], to: 'withdrawn' },
    expire: { from: ['open'], to: 'expired' },
  },
});
