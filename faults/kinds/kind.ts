import type { Random } from '@mooring/terminal/random';
import type { World } from '../world/world.ts';

export interface Strike {
  readonly world: World;
  readonly random: Random;
  /** How long an outage lasts. */
  readonly outageSeconds: number;
  /** Something was not as it has to be while the fault lasted. */
  readonly broken: (what: string) => void;
  readonly print: (line: string) => void;
  /** Unknown connections, where it strikes by them. */
  readonly unknownDevices: number;
  /** Whether times are judged: not beside other work on the same machine. */
  readonly isJudged: boolean;
}
/** One kind of fault. It strikes, and when it answers it is over, but for what lasts until the round is healed. */
export interface Kind {
  readonly name: string;
  /** Not twice at the same moment. */
  readonly isAlone?: boolean;
  /** Nothing else at the same moment. */
  readonly isOnly?: boolean;
  readonly isPossible: (world: World) => boolean;
  strike(on: Strike): Promise<void>;
}
