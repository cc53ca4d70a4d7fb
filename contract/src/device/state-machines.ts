import { machine } from '../kit/state-machine.ts';

/** Specification section 4: device status 1-5. */
export const deviceMachine = machine('device', {
  initial: ['inactive', 'stocked'],
  states: {
    inactive: { code: '1', tone: 'idle', about: 'Known here, and has never been in contact.' },
    offline: { code: '2', tone: 'away', about: 'Its lease ran out; it is expected to come back by itself.' },
    online: { code: '3', tone: 'good', about: 'In contact now.' },
    disabled: { code: '4', tone: 'ended', about: 'Shut out by a person: it can not connect.' },
    stocked: { code: '5', tone: 'kept', about: 'Lies in stock and is not in use.' },
  },
  events: {
    activate: { from: ['inactive', 'stocked'], to: 'online' },
    seen: { from: ['offline'], to: 'online' },
    lost: { from: ['online'], to: 'offline' },
    stockIn: { from: ['inactive', 'offline'], to: 'stocked' },
    issue: { from: ['stocked'], to: 'inactive' },
    disable: { from: ['inactive', 'offline', 'online', 'stocked'], to: 'disabled' },
    // As it was before; online becomes offline until it is seen.
    enable: { from: ['disabled'], to: ['inactive', 'offline', 'stocked'] },
  },
});

export const commandMachine = machine('deviceCommand', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'idle', about: 'Waits for the terminal to be in contact.' },
    sent: { tone: 'busy', about: 'Sent, and repeated until the terminal answers.' },
    done: { tone: 'good', about: 'The terminal did it.' },
    failed: { tone: 'bad', about: 'The terminal could not do it.' },
    expired: { tone: 'ended', about: 'Its time passed without an answer.' },
    withdrawn: { tone: 'ended', about: 'Taken back by a person.' },
  },
  events: {
    send: { from: ['waiting', 'sent'], to: 'sent' },
    succeed: { from: ['waiting', 'sent'], to: 'done' },
    fail: { from: ['waiting', 'sent'], to: 'failed' },
    expire: { from: ['waiting', 'sent'], to: 'expired' },
    withdraw: { from: ['waiting', 'sent'], to: 'withdrawn' },
  },
});

/** A terminal that came without a code and asks to be let in. */
export const pendingMachine = machine('devicePending', {
  initial: 'asking',
  states: {
    asking: { tone: 'wait', about: 'Asks to be let in.' },
    accepted: { tone: 'good', about: 'Let in; it gets its certificate at its next request.' },
    refused: { tone: 'bad', about: 'Not let in.' },
    enrolled: { tone: 'ended', about: 'Has its certificate.' },
  },
  events: {
    accept: { from: ['asking', 'refused'], to: 'accepted' },
    refuse: { from: ['asking', 'accepted'], to: 'refused' },
    enrol: { from: ['accepted'], to: 'enrolled' },
    askAgain: { from: ['enrolled'], to: 'asking' },
  },
});

export const enrolCodeMachine = machine('deviceEnrolCode', {
  initial: 'open',
  states: {
    open: { tone: 'good', about: 'Lets terminals in until it is used up or its time ends.' },
    withdrawn: { tone: 'ended', about: 'Taken back by a person.' },
  },
  events: { withdraw: { from: ['open'], to: 'withdrawn' } },
});
