import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

export interface DigestOf {
  readonly path: string;
  readonly algorithm: 'sha256' | 'md5';
}

const { path, algorithm } = workerData as DigestOf;
const block = Buffer.allocUnsafe(1024 * 1024);
const hash = createHash(algorithm);
const file = openSync(path, 'r');
for (let got = readSync(file, block); got > 0; got = readSync(file, block)) hash.update(block.subarray(0, got));
closeSync(file);
parentPort?.postMessage(hash.digest('hex'));
