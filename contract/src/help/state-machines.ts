import { machine } from '../kit/state-machine.ts';

/** A help article. What readers see is the version that was published last; changes after it wait until they are published too. */
export const helpMachine = machine('help', {
  initial: 'draft',
  states: {
    draft: { tone: 'idle', about: 'Was never published; only its editors see it.' },
    published: { tone: 'good', about: 'Everybody reads it as it stands.' },
    revised: { tone: 'busy', about: 'Everybody reads the published version; newer changes wait to be published.' },
    withdrawn: { tone: 'ended', about: 'Was taken from everybody; its editors may publish it again.' },
  },
  events: {
    publish: { from: ['draft', 'revised', 'withdrawn'], to: 'published' },
    revise: { from: ['published'], to: 'revised' },
    withdraw: { from: ['published', 'revised'], to: 'withdrawn' },
  },
});
