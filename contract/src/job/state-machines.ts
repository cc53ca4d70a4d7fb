import { machine } from '../kit/state-machine.ts';

/** Status of specification section 4. */
export const scheduledJobMachine = machine('scheduledJob', {
  initial: 'normal',
  states: {
    paused: { code: '0', tone: 'idle', about: 'It runs only when somebody starts it.' },
    normal: { code: '1', tone: 'good', about: 'It runs by its schedule.' },
  },
  events: {
    pause: { from: ['normal'], to: 'paused' },
    resume: { from: ['paused'], to: 'normal' },
  },
});
