import { join } from 'node:path';
import type { AppContext } from '../../platform/app-context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { fileSourceOf, openStaging, openStore } from '../../platform/files/open-store.ts';
import type { Staging } from '../../platform/files/staging.ts';
import { type Signal, signal } from '../../platform/signal.ts';

/** Where bytes live in this installation. `source` is the specification's fileSource. */
export interface Files {
  readonly store: BlobStore;
  readonly staging: Staging;
  /** Where files of one call wait, on this machine. */
  readonly incoming: string;
  readonly source: string;
  /** Rings when an upload has ended. */
  readonly ends: Signal;
}

export const openFiles = (app: AppContext): Files => ({
  store: openStore(app.config, app.counts),
  staging: openStaging(app.config, app.counts),
  incoming: join(app.config.DATA_DIR, 'incoming'),
  source: fileSourceOf(app.config),
  ends: signal(),
});
