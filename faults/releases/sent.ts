import type { TerminalState } from '../world/fleet-child.ts';
import type { World } from '../world/world.ts';

/** One release of a round, and how a terminal shows that it has it. */
export interface Sent {
  readonly kind: string;
  readonly taskId: number;
  /** As what it stands in the list of what a terminal installed, where it does. */
  readonly installed?: { readonly version: string; readonly sha256: string };
  holds(terminal: TerminalState): boolean;
}
/** Where a release of each kind can be made: an installation with a product, a developer of apps, and someone at its console. */
export type Place = Pick<World, 'url' | 'console' | 'partBytes' | 'productId' | 'developer'>;
export interface Round {
  readonly world: Place;
  readonly seed: string;
  readonly round: number;
  /** What all kinds are told alike: to whom it goes, and how. */
  readonly input: {
    readonly name: string;
    readonly scope: { readonly releaseScope: '0' };
    readonly delivery?: object;
    readonly release?: boolean;
  };
  /** Terminals that get a file each. */
  sns(): Promise<readonly string[]>;
}
