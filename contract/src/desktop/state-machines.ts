import { machine } from '../kit/state-machine.ts';

/** What terminals show is drawn up, published once and never changed after that: what was released stays what it was. */
const contentMachine = <N extends string>(name: N) =>
  machine(name, {
    initial: 'draft',
    states: {
      draft: { tone: 'idle', about: 'Is being drawn up; may be edited and deleted.' },
      published: { tone: 'good', about: 'Packed and fixed; may be released to terminals.' },
      withdrawn: { tone: 'ended', about: 'Is released no more; terminals keep what they have.' },
    },
    events: {
      publish: { from: ['draft', 'withdrawn'], to: 'published' },
      withdraw: { from: ['published'], to: 'withdrawn' },
    },
  });

export const advertMachine = contentMachine('advert');
export const customizationMachine = contentMachine('customization');
export const desktopMachine = contentMachine('desktop');
