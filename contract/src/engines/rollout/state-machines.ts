import { codesOf, machine } from '../../kit/state-machine.ts';

/** A task sent to many devices (design 2, "Lifecycles"). */
export const taskMachine = machine('task', {
  initial: 'draft',
  states: {
    draft: { tone: 'idle', about: 'Being written; nothing is promised.' },
    auditing: { tone: 'wait', about: 'Waits for approval.' },
    returned: { tone: 'bad', about: 'Sent back for edit.' },
    rejected: { tone: 'ended', about: 'Returned and ended.' },
    ready: { tone: 'idle', about: 'Complete; may be enabled.' },
    scheduled: { tone: 'idle', about: 'Enabled; its devices are being gathered or its start time is still to come.' },
    running: { tone: 'busy', about: 'Goes out to its devices.' },
    paused: { tone: 'wait', about: 'A person stopped it for now.' },
    halted: { tone: 'bad', about: 'The failure threshold stopped it.' },
    finished: { tone: 'good', about: 'Every device has its final result, or its time ended.' },
    cancelled: { tone: 'ended', about: 'A person ended it.' },
  },
  events: {
    submit: { from: ['draft'], to: ['auditing', 'ready'] },
    // Approved: the first stage begins at its time, a later one goes on.
    open: { from: ['auditing'], to: ['scheduled', 'running'] },
    return: { from: ['auditing', 'ready', 'scheduled', 'running', 'paused', 'halted'], to: 'returned' },
    withdraw: { from: ['auditing'], to: 'draft' },
    // One that was taken back before it started is written anew like one that was sent back.
    edit: { from: ['returned', 'ready'], to: 'draft' },
    reject: { from: ['draft', 'auditing', 'returned'], to: 'rejected' },
    enable: { from: ['ready'], to: 'scheduled' },
    disable: { from: ['scheduled'], to: 'ready' },
    start: { from: ['scheduled'], to: 'running' },
    pause: { from: ['running'], to: 'paused' },
    halt: { from: ['running'], to: 'halted' },
    recover: { from: ['paused', 'halted'], to: 'running' },
    finish: { from: ['running'], to: 'finished' },
    // Also what was sent back, or is written anew, after it had begun.
    expire: { from: ['scheduled', 'running', 'paused', 'halted', 'returned', 'draft', 'auditing', 'ready'], to: 'finished' },
    cancel: { from: ['auditing', 'ready', 'scheduled', 'running', 'paused', 'halted'], to: 'cancelled' },
    retry: { from: ['finished'], to: 'running' },
  },
});

/** Why releases were paused by something else than a person's word; the texts are `release.paused.*`. */
export const pauseReasons = ['appDelisted', 'appNotSubscribed', 'deptDisabled', 'deptMerged'] as const;
export type PauseReason = (typeof pauseReasons)[number];
export const isPauseReason = (reason: string | null): reason is PauseReason => pauseReasons.some((one) => one === reason);

/** What became of one device of a task. Codes 1-10 are the specification's. */
export const resultMachine = machine('taskResult', {
  initial: 'notSent',
  states: {
    notSent: { code: '1', tone: 'idle', about: 'Waits for its ring, its turn or the terminal.' },
    sent: { code: '2', tone: 'busy', about: 'Offered; the terminal works on it.' },
    success: { code: '3', tone: 'good', about: 'Installed.' },
    failed: { code: '4', tone: 'bad', about: 'Failed, with a reason.' },
    timeout: { code: '5', tone: 'bad', about: 'No result in time.' },
    timeoutSuccess: { code: '6', tone: 'good', about: 'Installed, but later than the time-out.' },
    timeoutFailed: { code: '7', tone: 'bad', about: 'Failed, later than the time-out.' },
    paused: { code: '8', tone: 'wait', about: 'Paused with its task.' },
    cancelled: { code: '9', tone: 'ended', about: 'Cancelled before it was done.' },
    deviceDeleted: { code: '10', tone: 'ended', about: 'The device was deleted.' },
  },
  events: {
    send: { from: ['notSent'], to: 'sent' },
    // A success of an older attempt counts and cancels the newer one, so it may come while the retry waits (docs/adr/0003).
    succeed: { from: ['notSent', 'sent', 'paused'], to: 'success' },
    // A terminal that can't do it at all isn't asked.
    fail: { from: ['notSent', 'sent', 'paused'], to: 'failed' },
    timeOut: { from: ['sent'], to: 'timeout' },
    lateSuccess: { from: ['timeout'], to: 'timeoutSuccess' },
    lateFailure: { from: ['timeout'], to: 'timeoutFailed' },
    retry: { from: ['failed', 'timeout', 'timeoutFailed'], to: 'notSent' },
    pause: { from: ['notSent', 'sent'], to: 'paused' },
    recover: { from: ['paused'], to: ['notSent', 'sent'] },
    cancel: { from: ['notSent', 'sent', 'paused'], to: 'cancelled' },
    expire: { from: ['notSent', 'paused'], to: 'cancelled' },
    deviceDeleted: { from: ['notSent', 'sent', 'paused'], to: 'deviceDeleted' },
  },
});

export const endedTasks = ['rejected', 'cancelled', 'finished'] as const;
/** Nothing is under way: their content may be changed, or they may go. */
export const editableStates = ['draft', 'returned', 'ready'] as const;
export const deletableStates = [...editableStates, ...endedTasks] as const;

/** Nothing more happens to these by themselves. */
export const settledStates = ['success', 'failed', 'timeout', 'timeoutSuccess', 'timeoutFailed', 'cancelled', 'deviceDeleted'] as const;
export const succeededStates = ['success', 'timeoutSuccess'] as const;
export const failedStates = ['failed', 'timeout', 'timeoutFailed'] as const;

/** Results that a person should look at, by their codes: tried, and not installed. */
export const failedResults: readonly string[] = codesOf(resultMachine, ['failed', 'timeout', 'timeoutFailed']);

/** States of a task in which what failed on devices may go out again. */
export const retriedIn: readonly string[] = ['running', 'paused', 'halted', 'finished'];

/** Publish state of specification section 4: published once the own store and every download domain that is asked have it. */
export const packageMachine = machine('package', {
  initial: 'unpublished',
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Not to be released.' },
    published: { code: '1', tone: 'good', about: 'May be released.' },
    publishing: { code: '2', tone: 'busy', about: 'For the first time: the store and the download domains are being asked for it.' },
    partly: { code: '3', tone: 'bad', about: 'May be released; some download domains don’t have it, and send nothing of it.' },
  },
  events: {
    publish: { from: ['unpublished'], to: 'publishing' },
    // Published once more: asked for again, and as it is meanwhile.
    recheck: { from: ['published', 'partly'], to: ['published', 'partly'] },
    done: { from: ['publishing', 'published', 'partly'], to: 'published' },
    partly: { from: ['publishing', 'published', 'partly'], to: 'partly' },
    // Of the first publication alone: what is out isn't taken back for a store that is away.
    failed: { from: ['publishing'], to: 'unpublished' },
    unpublish: { from: ['publishing', 'published', 'partly'], to: 'unpublished' },
  },
});

/** A difference that the server makes between two versions (design 2, "Lifecycles"). */
export const differenceMachine = machine('difference', {
  initial: 'generating',
  states: {
    generating: { tone: 'busy', about: 'Is being made, or waits for its turn.' },
    made: { tone: 'busy', about: 'Made; is being tried on its base.' },
    verified: { tone: 'idle', about: 'Makes the new version of its base; not offered yet.' },
    enabled: { tone: 'good', about: 'Terminals that run its base get it.' },
    failed: { tone: 'bad', about: 'Could not be made, with its reason.' },
    verifyFailed: { tone: 'bad', about: 'Does not make the new version of its base.' },
    givenUp: { tone: 'ended', about: 'A person gave it up.' },
  },
  events: {
    made: { from: ['generating'], to: 'made' },
    fail: { from: ['generating'], to: 'failed' },
    verify: { from: ['made'], to: 'verified' },
    refute: { from: ['made'], to: 'verifyFailed' },
    enable: { from: ['verified'], to: 'enabled' },
    disable: { from: ['enabled'], to: 'verified' },
    // Its file as it is stored now, on its base: from use it goes back there by itself.
    recheck: { from: ['verified', 'enabled', 'verifyFailed'], to: 'made' },
    regenerate: { from: ['verified', 'failed', 'verifyFailed', 'givenUp'], to: 'generating' },
    giveUp: { from: ['generating', 'made', 'failed', 'verifyFailed'], to: 'givenUp' },
  },
});
