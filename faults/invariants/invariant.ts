import type { Release } from '../release.ts';
import type { World } from '../world/world.ts';

/** What must hold after a round. Answers the differences in words; none where it holds. */
export interface Invariant {
  readonly name: string;
  check(world: World, release: Release): Promise<readonly string[]>;
}

/** The first few of many. */
export const some = (all: readonly string[]): string =>
  `${all.slice(0, 5).join(', ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''}`;
