import type { Random } from '@mooring/terminal/random';
import type { World } from '../world/world.ts';

export interface Strike {
  readonly world: World;
  readonly random: Random;
  /** How long an outage lasts. */
  readonly outageSeconds: number;
  /** Something was not as it has to be while the fault lasted. */
  readonly broken: (what: string) => void;
}
/** One kind of fault. It strikes, and when it answers it is over, but for what lasts until the round is healed. */
export interface Kind {
  readonly name: string;
  /** Not twice at the same moment. */
  readonly isAlone?: boolean;
  readonly isPossible: (world: World) => boolean;
  strike(on: Strike): Promise<void>;
}
