import type { Capability } from '@mooring/contract/device/capabilities';
import type { DifferenceForm } from '@mooring/contract/engines/rollout/difference-calls';
import type { RawBuilder } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';

/** A version that a difference leads to or starts from, whatever it is a version of. */
export interface Version {
  readonly id: number;
  /** Part that it is a version of, where the kind has several. */
  readonly name: string;
  /** As terminals and signed manifests say it; `shown` as people do, and `label` with what it is a version of. */
  readonly version: string;
  readonly shown: string;
  readonly label: string;
  readonly product_id: number | null;
  readonly product_code: string;
  readonly size: number;
  readonly sha256: string;
  /** Which key signed it, where that decides what goes over what. */
  readonly certificate: string | null;
  /** Terminals may get it now. */
  readonly open: boolean;
  readonly dept_id: number;
  readonly dept_path: string;
}

interface Made {
  readonly form: DifferenceForm;
  readonly frames: number;
}

/** Whose terminals are counted, and where it is read. */
export type Within = Pick<Ctx, 'db' | 'scope'>;

/** What differences are made of: packages of a kind, or versions of apps. */
export interface DifferenceSource {
  /** The kind's name on the wire. */
  readonly content: string;
  /** Group of calls that answers differently where one changes. */
  readonly group: string;
  /** Permission to make and use them. */
  readonly can: `${string}:${string}`;
  readonly forms: readonly DifferenceForm[];
  /** A difference's columns for what it leads to, and what it starts from. */
  pair(
    target: number,
    base: number,
  ): { readonly package_id: number; readonly base_id: number } | { readonly app_version_id: number; readonly app_base_id: number };
  /** Its versions, as a query. */
  readonly versions: RawBuilder<Version>;
  /** What a terminal must say that it can do to get one. */
  needs(made: Made): Capability | undefined;
  /** Refuses what no difference leads to now, with its own fault. */
  refuse(target: Version): void;
  /** Older full versions that one to `target` may start from, the newest first. */
  bases(ctx: Within, target: Version): Promise<readonly Version[]>;
  /** How many terminals in the scope run each of these now, by what terminals say of it (`version`). */
  devicesOn(
    ctx: Within,
    target: Pick<Version, 'id' | 'name' | 'version' | 'product_id'>,
    versions: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}
