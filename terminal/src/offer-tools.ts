import type { Up } from '@mooring/contract/device/messages';
import type { Body } from './body.ts';
import type { Journal } from './journal.ts';
import type { Offer } from './offer.ts';
import type { Random } from './random.ts';

export type Result = Up['result'];
export interface OfferTools {
  readonly body: Body;
  readonly journal: Journal;
  readonly random: Random;
  readonly releaseRoot: string;
  readonly server: string;
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  /** The terminal has just started: what waits for a start may be installed. */
  readonly atStart: boolean;
  /** Is there a connection to the server? */
  isUp(): boolean;
  now(): Date;
  /** Rejects when the work is aborted. Other offers may pass meanwhile. */
  wait(seconds: number): Promise<void>;
  /** Waits for something else, and lets others pass meanwhile. */
  aside<T>(wait: () => Promise<T>): Promise<T>;
  /** So many bytes of a package came over the line. */
  downloaded(bytes: number): void;
  progress(progress: { phase: Up['progress']['phase']; percent?: number; bytes?: number; reason?: string }): void;
}

export const failure = (offer: Offer, reason: string, more: Partial<Result> = {}): Result => ({
  offer: offer.offer,
  outcome: 'failure',
  reason,
  ...more,
});
