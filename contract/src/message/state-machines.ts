import { machine } from '../kit/state-machine.ts';

/** Specification section 4, "Message status". Deleting takes it out of one person's list, whatever its state. */
export const messageMachine = machine('message', {
  initial: 'unread',
  states: {
    unread: { code: '0', tone: 'away', about: 'Has not been opened yet.' },
    read: { code: '1', tone: 'idle', about: 'Was opened, or marked as read.' },
  },
  events: { read: { from: ['unread'], to: 'read' } },
});
