import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const Tip = z.object({ id: z.int(), sealNo: z.int(), hash: hex, head: z.int(), headHash: z.string() });

/**
 * How far the chain and its signed heads had come when this process saw them last. It lies beside the database, so that its owner can't
 * take the newest rows away unnoticed. A backup doesn't hold it: rows of an earlier moment would contradict it.
 */
export type Tip = z.infer<typeof Tip>;

export const TIP_FILE = 'audit-tip.json';

export function readTip(dataDir: string): Tip | undefined {
  try {
    return Tip.parse(JSON.parse(readFileSync(join(dataDir, TIP_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

export function writeTip(dataDir: string, tip: Tip): void {
  const file = join(dataDir, TIP_FILE);
  writeFileSync(`${file}.next`, JSON.stringify(tip), { mode: 0o600 });
  renameSync(`${file}.next`, file);
}

/** In a folder where nothing ran yet: no version before this one has left a log here that the first signature could cover. */
export const beginTip = (dataDir: string): void => writeTip(dataDir, { id: 0, sealNo: 0, hash: '0'.repeat(64), head: 0, headHash: '' });
export const hasBegun = (tip: Tip | undefined): tip is Tip => (tip?.head ?? 0) > 0;
