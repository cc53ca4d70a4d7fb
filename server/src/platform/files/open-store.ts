import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { BlobStore } from './blob-store.ts';
import { diskStore } from './disk-store.ts';
import { type S3, s3Client } from './s3-client.ts';
import { s3Staging } from './s3-staging.ts';
import { s3Store } from './s3-store.ts';
import { diskStaging, type Staging } from './staging.ts';

type Where = Pick<Config, 'DATA_DIR' | 'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY'>;

function s3Of(config: Where): S3 | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = config;
  return endpoint && bucket && accessKey && secretKey ? s3Client({ endpoint, bucket, region, accessKey, secretKey }) : undefined;
}

/** The specification's fileSource: what the console asks for it decides the size of the parts of an upload. */
export const fileSourceOf = (config: Where): 'disk' | 's3' => (s3Of(config) ? 's3' : 'disk');

/** The installation's store, as configured. */
export function openStore(config: Where): BlobStore {
  const s3 = s3Of(config);
  if (s3) return s3Store(s3);
  const folder = join(config.DATA_DIR, 'blobs');
  mkdirSync(folder, { recursive: true });
  return diskStore(folder);
}

/** The installation's place for uploads on their way: beside the blobs, so that every process reaches it. */
export function openStaging(config: Where): Staging {
  const s3 = s3Of(config);
  return s3 ? s3Staging(s3) : diskStaging(join(config.DATA_DIR, 'uploads'));
}
