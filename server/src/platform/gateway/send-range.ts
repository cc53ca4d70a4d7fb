import type { ServerResponse } from 'node:http';
import type { OpenBlob } from '../files/blob-store.ts';

const BLOCK = 256 * 1024;
/** Blocks that wait for the next transfer; more are left to the collector. */
const KEPT = 64;
const blocks: Buffer[] = [];

/** Until the bytes are with the kernel. */
const written = (response: ServerResponse, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    const gone = () => reject(new Error('the line is gone'));
    response.once('close', gone);
    response.write(bytes, (error) => {
      response.off('close', gone);
      if (error) reject(error);
      else resolve();
    });
  });

/**
 * Sends bytes `start` to `end`, both included, from a few blocks that go round: new ones for each part cost more than reading and sending.
 * Ends when the last one was sent or the line broke; a blob that ends too early breaks the line, so that nobody takes it for whole.
 */
export async function sendRange(response: ServerResponse, blob: OpenBlob, start: number, end: number): Promise<void> {
  const block = blocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  try {
    for (let at = start; at <= end; ) {
      const got = await blob.into(block, Math.min(BLOCK, end - at + 1), at);
      if (got === 0 || response.destroyed) throw new Error('the bytes end');
      await written(response, got === BLOCK ? block : block.subarray(0, got));
      at += got;
    }
    response.end();
    if (blocks.length < KEPT) blocks.push(block);
  } catch {
    // Its block may still be on its way: it doesn't go round.
    response.destroy();
  }
}
