import { machine } from '../kit/state-machine.ts';

/** A right that somebody holds, from its giving to its end: once in a while whoever answers for it says that it is still needed. */
export const grantReviewMachine = machine('grantReview', {
  initial: 'current',
  states: {
    current: { tone: 'good', about: 'Given or confirmed within the interval of the settings.' },
    due: { tone: 'wait', about: 'Has to be confirmed within the next days.' },
    overdue: { tone: 'bad', about: 'Was not confirmed in time; it works on until somebody decides.' },
    withdrawn: { tone: 'ended', about: 'Taken away in a review.' },
  },
  events: {
    remind: { from: ['current'], to: 'due' },
    lapse: { from: ['current', 'due'], to: 'overdue' },
    postpone: { from: ['due', 'overdue'], to: 'current' },
    confirm: { from: ['current', 'due', 'overdue'], to: 'current' },
    withdraw: { from: ['current', 'due', 'overdue'], to: 'withdrawn' },
  },
});
