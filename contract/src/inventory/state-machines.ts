import { machine } from '../kit/state-machine.ts';

/** A dispatch: terminals that go to another organisation under one document. Specification section 4, inventory batch status. */
export const dispatchMachine = machine('dispatch', {
  initial: 'draft',
  states: {
    draft: { code: '1', tone: 'idle', about: 'None of its terminals is sent, or all came back.' },
    partly: { code: '3', tone: 'busy', about: 'Some of its terminals are sent.' },
    sent: { code: '5', tone: 'good', about: 'All of its terminals are sent.' },
    withdrawn: { code: '7', tone: 'ended', about: 'Taken back by its sender.' },
    deleting: { code: '8', tone: 'busy', about: 'Being deleted.' },
    deleted: { code: '9', tone: 'ended', about: 'Deleted.' },
  },
  events: {
    transferSome: { from: ['draft', 'partly'], to: 'partly' },
    transferAll: { from: ['draft', 'partly'], to: 'sent' },
    comeBackSome: { from: ['sent'], to: 'partly' },
    comeBackAll: { from: ['partly', 'sent'], to: 'draft' },
    withdraw: { from: ['draft', 'partly', 'sent'], to: 'withdrawn' },
    delete: { from: ['draft', 'withdrawn'], to: 'deleting' },
    deleted: { from: ['deleting'], to: 'deleted' },
    deleteFailed: { from: ['deleting'], to: ['draft', 'withdrawn'] },
  },
});

/** One terminal of a dispatch. Design 2, transfer record. */
export const transferMachine = machine('transfer', {
  initial: 'waiting',
  states: {
    waiting: { code: '1', tone: 'wait', about: 'Listed, or sent and not yet answered by the receiver.' },
    received: { code: '3', tone: 'good', about: 'The receiver has accepted the terminal.' },
    failed: { code: '5', tone: 'bad', about: 'It did not go over; the reason is kept.' },
    withdrawing: { code: '7', tone: 'busy', about: 'Its sender takes it back.' },
    withdrawn: { code: '9', tone: 'ended', about: 'Back with its sender, who took it.' },
    withdrawFailed: { code: '11', tone: 'bad', about: 'It could not be taken back; the reason is kept.' },
    returning: { code: '13', tone: 'busy', about: 'Its receiver gives it back.' },
    returned: { code: '15', tone: 'ended', about: 'Back with its sender, given by the receiver.' },
    returnFailed: { code: '17', tone: 'bad', about: 'It could not be given back; the reason is kept.' },
  },
  events: {
    succeed: { from: ['waiting'], to: 'received' },
    fail: { from: ['waiting'], to: 'failed' },
    withdraw: { from: ['received', 'withdrawFailed'], to: 'withdrawing' },
    withdrawn: { from: ['withdrawing'], to: 'withdrawn' },
    withdrawFail: { from: ['withdrawing'], to: 'withdrawFailed' },
    return: { from: ['received', 'returnFailed'], to: 'returning' },
    returned: { from: ['returning'], to: 'returned' },
    returnFail: { from: ['returning'], to: 'returnFailed' },
  },
});

/** A terminal that was sold. */
export const saleMachine = machine('sale', {
  initial: 'sold',
  states: {
    sold: { tone: 'good', about: 'With its buyer.' },
    returned: { tone: 'ended', about: 'Came back from its buyer into stock.' },
  },
  events: { takeBack: { from: ['sold'], to: 'returned' } },
});

/** One reading of an outside asset register. */
export const syncRunMachine = machine('syncRun', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'idle', about: 'Asked for, and not begun.' },
    running: { tone: 'busy', about: 'The register is being read.' },
    done: { tone: 'good', about: 'The register was read to its end.' },
    failed: { tone: 'bad', about: 'The register could not be read; the reason is kept.' },
  },
  events: {
    start: { from: ['waiting', 'running'], to: 'running' },
    finish: { from: ['running'], to: 'done' },
    fail: { from: ['waiting', 'running'], to: 'failed' },
  },
});

/** Where a register says something else of a terminal than what stands here. */
export const syncConflictMachine = machine('syncConflict', {
  initial: 'open',
  states: {
    open: { tone: 'wait', about: 'Nobody has decided yet.' },
    ours: { tone: 'ended', about: 'What stands here was kept.' },
    theirs: { tone: 'good', about: 'What the register says was taken.' },
    settled: { tone: 'ended', about: 'The register no longer says otherwise.' },
  },
  events: {
    keep: { from: ['open'], to: 'ours' },
    take: { from: ['open'], to: 'theirs' },
    settle: { from: ['open', 'ours', 'theirs'], to: 'settled' },
    reopen: { from: ['ours', 'theirs', 'settled'], to: 'open' },
  },
});
