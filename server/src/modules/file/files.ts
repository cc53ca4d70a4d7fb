import { join } from 'node:path';
import { type Bell, bell } from '../../platform/bell.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { fileSourceOf, openStaging, openStore } from '../../platform/files/open-store.ts';
import type { Staging } from '../../platform/files/staging.ts';
import type { House } from '../../platform/house.ts';

/** Where bytes live in this installation. `source` is the specification's fileSource. */
export interface Files {
  readonly store: BlobStore;
  readonly staging: Staging;
  /** Where files of one call wait, on this machine. */
  readonly incoming: string;
  readonly source: string;
  /** Rings when an upload has ended. */
  readonly ends: Bell;
}

export const openFiles = (house: House): Files => ({
  store: openStore(house.config, house.counts),
  staging: openStaging(house.config, house.counts),
  incoming: join(house.config.DATA_DIR, 'incoming'),
  source: fileSourceOf(house.config),
  ends: bell(),
});
