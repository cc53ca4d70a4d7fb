import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Place } from '../src/platform/files/s3-client.ts';
import { freePort } from '../src/platform/free-port.ts';

export interface ObjectStore {
  readonly place: S3Place;
  /** The settings of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** An S3-compatible store on a loopback port, with its objects in a folder that goes with it. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'mooring-s3-'));
  const port = await freePort();
  const place = { endpoint: `http://127.0.0.1:${port}`, bucket: 'mooring', region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' };
  const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: place.bucket }] });
  await server.run();
  return {
    place,
    env: {
      S3_ENDPOINT: place.endpoint,
      S3_BUCKET: place.bucket,
      S3_REGION: place.region,
      S3_ACCESS_KEY: place.accessKey,
      S3_SECRET_KEY: place.secretKey,
    },
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
