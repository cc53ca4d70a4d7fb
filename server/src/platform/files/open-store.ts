import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { BlobStore } from './blob-store.ts';
import { diskStore } from './disk-store.ts';

/** The installation's store, as configured. */
export function openStore(config: Pick<Config, 'DATA_DIR'>): BlobStore {
  const folder = join(config.DATA_DIR, 'blobs');
  mkdirSync(folder, { recursive: true });
  return diskStore(folder);
}
