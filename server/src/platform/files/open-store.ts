import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Counts } from '../counts.ts';
import type { BlobStore } from './blob-store.ts';
import { diskStore } from './disk-store.ts';
import { type S3, s3Client } from './s3-client.ts';
import { s3Staging } from './s3-staging.ts';
import { s3Store } from './s3-store.ts';
import { diskStaging, type Staging } from './staging.ts';

type Where = Pick<Config, 'DATA_DIR' | 'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY'>;

function s3Of(config: Where, counts?: Counts): S3 | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = config;
  return endpoint && bucket && accessKey && secretKey
    ? s3Client({ endpoint, bucket, region, accessKey, secretKey }, (operation) => counts?.add('store_failures', { operation }))
    : undefined;
}

/** The specification's fileSource: what the console asks for it decides the size of the parts of an upload. */
export const fileSourceOf = (config: Where): 'disk' | 's3' => (s3Of(config) ? 's3' : 'disk');

/** The installation's store, as configured. */
export function openStore(config: Where, counts?: Counts): BlobStore {
  const s3 = s3Of(config, counts);
  if (s3) return s3Store(s3);
  const folder = join(config.DATA_DIR, 'blobs');
  mkdirSync(folder, { recursive: true });
  return diskStore(folder);
}

/** Asks the object store for the least that it can be asked, with its key and in its bucket. */
export function storeProbe(config: Where): (() => Promise<void>) | undefined {
  const s3 = s3Of(config);
  return s3 && (async () => void (await s3.ask('GET', '', { query: { 'list-type': '2', 'max-keys': '1' } })));
}

/** The installation's place for uploads on their way: beside the blobs, so that every process reaches it. */
export function openStaging(config: Where, counts?: Counts): Staging {
  const s3 = s3Of(config, counts);
  return s3 ? s3Staging(s3) : diskStaging(join(config.DATA_DIR, 'uploads'));
}
