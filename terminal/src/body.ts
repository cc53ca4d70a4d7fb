import type { Capability } from '@mooring/contract/device/capabilities';
import type { LogLine } from '@mooring/contract/device/log/log-lines';
import type { Settings, Up } from '@mooring/contract/device/messages';
import type { ReadApp } from './apps.ts';
import type { PartFound } from './hardware.ts';
import type { Offer, PackageOffer } from './offer.ts';
import type { LogAsked, RunLog } from './run-log.ts';
import type { Sink } from './sink.ts';
import type { Things } from './things.ts';

export type Installed =
  | {
      readonly ok: true;
      /** Of what runs now. */
      readonly sha256?: string | undefined;
      /** What was installed, where the agent keeps it itself. */
      readonly bytes?: Buffer | undefined;
    }
  | { readonly ok: false; readonly reason: string; readonly message?: string }
  | 'powerLost';
export interface Done {
  readonly ok: boolean;
  readonly reason?: string;
  readonly message?: string;
  readonly output?: Up['reply']['output'];
  readonly thenReboot?: boolean;
}

/** What the agent runs on: a real device or a virtual one. */
export interface Body {
  readonly sn: string;
  readonly product: string;
  readonly model: string;
  readonly capabilities: readonly Capability[];
  timeZone(): string;
  facts(): Partial<Up['hello']>;
  figures(): Up['beat'];
  freeBytes(offer: PackageOffer): number;
  /** Where the bytes of an offer go; the same place after a restart. */
  openSink(offer: PackageOffer): Promise<Sink>;
  /** How the line is for one try of a download. */
  line(offer: PackageOffer, attempt: number): { readonly speed?: number | undefined; readonly breakAfter?: number | undefined };
  /** `running` is the digest of what runs, where it is known. A difference is applied to it, and the result held against `fullSha256`. */
  install(offer: PackageOffer, running: string | undefined): Promise<Installed>;
  /** Makes of a difference that was fetched the package that it leads to, for `readApp` and `install`; `running` is the digest of the one that is installed. */
  rebuild?(offer: PackageOffer, running: string | undefined): Promise<Installed>;
  /** Sets something, or puts back what was there before anything was set. */
  set(settings: Settings): Promise<Installed>;
  /** What the package of an app that was fetched says of itself; undefined where it can't be read. */
  readApp?(offer: PackageOffer): Promise<ReadApp | undefined>;
  /** Why a signature beside the whole package with this digest isn't of anyone whom the terminal trusts; absent where it asks for none. */
  besideFlaw?(sha256: string, signature: Buffer): Promise<string | undefined>;
  uninstall?(packageName: string): Promise<Installed>;
  /** Asks the person at the terminal, where the offer says `ask`, until `signal` aborts; absent where nobody can be asked. */
  confirm?(offer: Offer, signal: AbortSignal): Promise<boolean>;
  /** Tests one of its parts; absent where it can't. */
  testPart?(part: string): Promise<PartFound>;
  /** By the thing model of its product; absent where it knows none. */
  readonly things?: Things;
  /** What it writes down of its own work, and the agent of its. */
  readonly runLog: RunLog;
  /** Lines of its whole log, where there is more than `runLog`. */
  pullLog?(asked: LogAsked): Promise<readonly LogLine[]>;
  command(kind: string, params: Readonly<Record<string, unknown>>): Promise<Done>;
  /** Seconds that a start takes. */
  readonly bootSeconds: number;
}
