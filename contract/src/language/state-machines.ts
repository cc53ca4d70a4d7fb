import { machine } from '../kit/state-machine.ts';

/** Specification, section 7: a language is offered when its publishStatus is '1'. */
export const languageMachine = machine('language', {
  initial: ['unpublished', 'published'],
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Known, and not offered to anybody.' },
    published: { code: '1', tone: 'good', about: 'Offered at sign-in and in the menu.' },
  },
  events: {
    publish: { from: ['unpublished'], to: 'published' },
    unpublish: { from: ['published'], to: 'unpublished' },
  },
});
