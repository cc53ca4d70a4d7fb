import { machine } from '../kit/state-machine.ts';

/** Whether messages of terminals go out to an outside IoT platform. */
export const iotCustomerMachine = machine('iotCustomer', {
  initial: 'draft',
  states: {
    draft: { tone: 'idle', about: 'Set up and not begun: nothing is forwarded, and nothing is kept for it.' },
    active: { tone: 'good', about: 'What terminals say is forwarded.' },
    failing: { tone: 'bad', about: 'The platform takes nothing at the moment; it is tried again, and what is said meanwhile waits.' },
    paused: { tone: 'kept', about: 'A person stopped it; what is said meanwhile waits.' },
  },
  events: {
    resume: { from: ['draft', 'paused'], to: 'active' },
    pause: { from: ['active', 'failing'], to: 'paused' },
    fail: { from: ['active'], to: 'failing' },
    recover: { from: ['failing'], to: 'active' },
  },
});

/** A terminal at an outside IoT platform that lets in those alone that it knows. */
export const iotRegistrationMachine = machine('iotRegistration', {
  initial: 'waiting',
  states: {
    waiting: { tone: 'busy', about: 'Is being registered; tried again by itself where the platform does not answer.' },
    registered: { tone: 'good', about: 'The platform knows the terminal and its certificate.' },
    failed: { tone: 'bad', about: 'The platform or the terminal’s own state does not allow it; the reason says what to do.' },
    revoking: { tone: 'busy', about: 'Is being taken back.' },
    stuck: { tone: 'bad', about: 'Could not be taken back: the platform still lets the terminal in.' },
    revoked: { tone: 'ended', about: 'The platform lets the terminal in no more.' },
  },
  events: {
    register: { from: ['waiting'], to: 'registered' },
    fail: { from: ['waiting'], to: 'failed' },
    retry: { from: ['failed'], to: 'waiting' },
    renew: { from: ['registered', 'failed'], to: 'waiting' },
    again: { from: ['revoked'], to: 'waiting' },
    revoke: { from: ['waiting', 'registered', 'failed', 'stuck'], to: 'revoking' },
    end: { from: ['revoking'], to: 'revoked' },
    stick: { from: ['revoking'], to: 'stuck' },
    // Something of it was made there after all.
    recall: { from: ['revoked'], to: 'revoking' },
  },
});
