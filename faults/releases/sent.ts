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
export interface Round {
  readonly world: World;
  readonly seed: string;
  readonly round: number;
}

/** To all terminals: slow enough to be hit in its middle, patient enough to get through. */
export const toAll = ({ world, round }: Round) => ({
  name: `Round ${round}`,
  scope: { releaseScope: '0' as const },
  delivery: { paceAtOnce: Math.ceil(world.fleets.count / 5), retries: 10, retryWaitSeconds: 1 },
  release: true,
});
