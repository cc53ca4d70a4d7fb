import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Stored } from './blob-store.ts';

const BLOCK = 1024 * 1024;

/** Digests and length of a file: the next block is read while one is hashed. */
export async function hashFile(file: FileHandle): Promise<Stored> {
  const [sha, md5] = [createHash('sha256'), createHash('md5')];
  const blocks = [Buffer.allocUnsafe(BLOCK), Buffer.allocUnsafe(BLOCK)] as const;
  const read = (turn: number, at: number) => file.read(blocks[turn % 2 === 0 ? 0 : 1], 0, BLOCK, at);
  let size = 0;
  let next = read(0, 0);
  for (let turn = 0; ; turn += 1) {
    const { bytesRead, buffer } = await next;
    if (bytesRead === 0) return { sha256: sha.digest('hex'), md5: md5.digest('hex'), size };
    size += bytesRead;
    next = read(turn + 1, size);
    const bytes = buffer.subarray(0, bytesRead);
    sha.update(bytes);
    md5.update(bytes);
  }
}
