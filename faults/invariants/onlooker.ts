import type { Invariant } from './invariant.ts';

/** A page that was open all the time shows what is so now, and nobody reloaded it. */
export const onlooker: Invariant = { name: 'the open page', check: (world, { version }) => world.onlooker.wrong(version) };
