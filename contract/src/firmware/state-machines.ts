import { machine } from '../kit/state-machine.ts';

/** Publish state of specification section 4; publishing copies the file to every configured store. */
export const packageMachine = machine('package', {
  initial: 'unpublished',
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Not to be released.' },
    published: { code: '1', tone: 'good', about: 'May be released.' },
    publishing: { code: '2', tone: 'busy', about: 'Is being copied to the stores.' },
    partly: { code: '3', tone: 'bad', about: 'Some stores could not take it.' },
  },
  events: {
    publish: { from: ['unpublished', 'published', 'partly'], to: 'publishing' },
    done: { from: ['publishing'], to: 'published' },
    partly: { from: ['publishing'], to: 'partly' },
    failed: { from: ['publishing'], to: 'unpublished' },
    unpublish: { from: ['published', 'partly'], to: 'unpublished' },
  },
});
