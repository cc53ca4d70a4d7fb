import { machine } from '../kit/state-machine.ts';

/** Publish state of design 2: 0 not, 1 published, 2 on its way, 3 partly. A product has no stores to copy to, so it is 0 or 1. */
export const productMachine = machine('product', {
  initial: 'unpublished',
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Only those who manage products see it.' },
    published: { code: '1', tone: 'good', about: 'May be chosen for devices and packages.' },
  },
  events: {
    publish: { from: ['unpublished'], to: 'published' },
    unpublish: { from: ['published'], to: 'unpublished' },
  },
});

/** A version of a thing model. Publishing one supersedes the one before it in the same transaction. */
export const thingModelMachine = machine('thingModel', {
  initial: 'draft',
  states: {
    draft: { tone: 'idle', about: 'Being edited; holds for no terminal yet.' },
    published: { tone: 'good', about: 'Holds for the terminals of its product.' },
    superseded: { tone: 'ended', about: 'A later version has taken its place; it stays as it was.' },
  },
  events: {
    publish: { from: ['draft'], to: 'published' },
    supersede: { from: ['published'], to: 'superseded' },
  },
});
