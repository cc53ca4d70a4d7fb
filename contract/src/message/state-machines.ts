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

/** Something announced to people. Only a draft is changed: what people have read stays what they read. */
export const noticeMachine = machine('notice', {
  initial: 'draft',
  states: {
    draft: { tone: 'idle', about: 'Is being written; nobody else sees it.' },
    scheduled: { tone: 'busy', about: 'Is published by itself when its time comes.' },
    published: { tone: 'good', about: 'Is shown to everybody whom it is addressed to.' },
    ended: { tone: 'ended', about: 'Its time is over; nobody is shown it any more.' },
    recalled: { tone: 'ended', about: 'Was taken back from everybody.' },
  },
  events: {
    publish: { from: ['draft', 'scheduled'], to: 'published' },
    schedule: { from: ['draft'], to: 'scheduled' },
    cancel: { from: ['scheduled'], to: 'draft' },
    recall: { from: ['published'], to: 'recalled' },
    end: { from: ['published'], to: 'ended' },
  },
});
