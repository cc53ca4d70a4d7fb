import { machine } from '../../kit/state-machine.ts';

/**
 * The approval of something that is released in stages (specification section 4, "Approval flow"; design 2). Codes are the specification's:
 * tens say the stage (1 customer confirmation, 2 trial, 3 full release), units the step. Stage 3 has no "verified": it ends with the result.
 * Here stands what may follow what at all; of that a course (steps.ts) says what does.
 */
export const approvalMachine = machine('approval', {
  initial: 'application1',
  states: {
    application1: { code: '10', tone: 'idle', about: 'Being written or edited; nobody is asked yet.' },
    confirm1: { code: '11', tone: 'wait', about: 'The region confirms it.' },
    line1: { code: '12', tone: 'wait', about: 'The product line approves it.' },
    market1: { code: '13', tone: 'wait', about: 'The market approves it; then it goes to the sample terminals.' },
    result1: { code: '14', tone: 'busy', about: 'Goes to the sample; the customer checks the result.' },
    verified1: { code: '15', tone: 'good', about: 'The customer confirmed it; a trial may be applied for.' },
    returned1: { code: '16', tone: 'bad', about: 'Sent back for edit.' },
    application2: { code: '20', tone: 'idle', about: 'The trial is being applied for.' },
    confirm2: { code: '21', tone: 'wait', about: 'The region confirms the trial.' },
    line2: { code: '22', tone: 'wait', about: 'The product line approves the trial.' },
    market2: { code: '23', tone: 'wait', about: 'The market approves the trial; then it goes to the trial group.' },
    result2: { code: '24', tone: 'busy', about: 'Goes to the trial group; the customer checks the result.' },
    verified2: { code: '25', tone: 'good', about: 'The trial is confirmed; full release may be applied for.' },
    returned2: { code: '26', tone: 'bad', about: 'The trial was sent back for edit.' },
    application3: { code: '30', tone: 'idle', about: 'Full release is being applied for.' },
    confirm3: { code: '31', tone: 'wait', about: 'The region confirms full release.' },
    line3: { code: '32', tone: 'wait', about: 'The product line approves full release.' },
    market3: { code: '33', tone: 'wait', about: 'The market approves full release; then it goes to all.' },
    result3: { code: '34', tone: 'good', about: 'Goes to all terminals; the customer checks the result.' },
    returned3: { code: '36', tone: 'bad', about: 'Full release was sent back for edit.' },
    ended: { code: '51', tone: 'ended', about: 'Returned and ended.' },
  },
  events: {
    // What has one decision alone is asked of whoever makes it at once; ended, it may come back.
    apply: { from: ['application1', 'application2', 'application3', 'ended'], to: ['confirm1', 'confirm2', 'confirm3', 'market3'] },
    confirm: { from: ['confirm1', 'confirm2', 'confirm3'], to: ['line1', 'line2', 'line3'] },
    approveLine: { from: ['line1', 'line2', 'line3'], to: ['market1', 'market2', 'market3'] },
    approveMarket: { from: ['market1', 'market2', 'market3'], to: ['result1', 'result2', 'result3'] },
    // At the end of stage 3 the step stays; its result alone says that it is confirmed.
    resultConfirm: { from: ['result1', 'result2', 'result3'], to: ['verified1', 'verified2', 'result3'] },
    applyTrial: { from: ['verified1'], to: 'application2' },
    applyFull: { from: ['verified2'], to: 'application3' },
    cancelTrial: { from: ['confirm2', 'line2', 'market2', 'result2', 'verified2'], to: 'returned2' },
    cancelFull: { from: ['confirm3', 'line3', 'market3', 'result3'], to: ['returned3', 'application3'] },
    return: {
      from: [
        'confirm1',
        'line1',
        'market1',
        'result1',
        'verified1',
        'confirm2',
        'line2',
        'market2',
        'result2',
        'verified2',
        'confirm3',
        'line3',
        'market3',
        'result3',
      ],
      to: ['returned1', 'returned2', 'returned3'],
    },
    // A change voids what was agreed in its stage.
    edit: {
      from: ['returned1', 'result1', 'verified1', 'returned2', 'returned3', 'ended'],
      to: ['application1', 'application2', 'application3'],
    },
    end: {
      from: [
        'application1',
        'confirm1',
        'line1',
        'market1',
        'result1',
        'verified1',
        'returned1',
        'application2',
        'confirm2',
        'line2',
        'market2',
        'result2',
        'verified2',
        'returned2',
        'application3',
        'confirm3',
        'line3',
        'market3',
        'result3',
        'returned3',
      ],
      to: 'ended',
    },
  },
});
export type ApprovalState = keyof typeof approvalMachine.states;
export type ApprovalEvent = keyof typeof approvalMachine.events;
