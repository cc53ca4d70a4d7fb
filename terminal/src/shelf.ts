import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Applied, applyDiff, bytesOf, withFile } from './apply-diff.ts';
import type { ReadApp } from './apps.ts';
import type { PackageOffer } from './offer.ts';
import { readApp } from './read-app.ts';
import type { Sink } from './sink.ts';

type Package = PackageOffer['package'];
const KEPT = 12;

/** Firmware that virtual terminals have in common, kept once for all of them: what runs is the base of the next difference. */
export interface Shelf {
  /** The same sink; the first of those that fetch these bytes keeps them. */
  keeping(sha256: string, sink: Sink): Sink;
  /** Bytes of a file; answers their digest. */
  take(path: string): string;
  /** The bytes of what lies here. */
  read(sha256: string): Buffer | undefined;
  /** What an app's package says of itself, read once for all terminals; another one may still be fetching it. */
  readApp(sha256: string): Promise<ReadApp | undefined>;
  /** Applies a difference to what lies here, once for all terminals. */
  apply(base: string | undefined, diff: Buffer, of: Package): Promise<Applied>;
  close(): void;
}

/** `folder` keeps it over a restart; otherwise it goes with the process. */
export function openShelf(folder?: string): Shelf {
  const own = folder ?? mkdtempSync(join(tmpdir(), 'mooring-shelf-'));
  mkdirSync(own, { recursive: true });
  const at = (sha256: string) => join(own, sha256);
  const has = (sha256: string) => statSync(at(sha256), { throwIfNoEntry: false }) !== undefined;
  /** Whether what is being fetched came to lie here. */
  const arriving = new Map<string, PromiseWithResolvers<boolean>>();
  const reads = new Map<string, Promise<ReadApp | undefined>>();
  const applied = new Map<string, Promise<Applied>>();
  const thin = () => {
    const all = readdirSync(own).filter((name) => /^[0-9a-f]{64}$/.test(name));
    const byAge = all.sort((a, b) => statSync(at(a)).mtimeMs - statSync(at(b)).mtimeMs);
    for (const name of byAge.slice(0, Math.max(0, byAge.length - KEPT))) rmSync(at(name), { force: true });
  };
  const apply = async (base: string, diff: Buffer, of: Package): Promise<Applied> => {
    const path = `${at(of.fullSha256 ?? of.sha256)}.${randomUUID()}.made`;
    const file = await open(path, 'wx');
    try {
      const made = await withFile(at(base), (bytes) => applyDiff(bytes, bytesOf(diff), of, (piece) => file.appendFile(piece)));
      if (made.ok && of.fullSha256 && !has(of.fullSha256)) {
        renameSync(path, at(of.fullSha256));
        thin();
      }
      return made;
    } finally {
      await file.close();
      rmSync(path, { force: true });
    }
  };
  return {
    keeping(sha256, sink) {
      if (has(sha256) || arriving.has(sha256)) return sink;
      const arrival = Promise.withResolvers<boolean>();
      arriving.set(sha256, arrival);
      const path = `${at(sha256)}.part`;
      let file: number | undefined = openSync(path, 'w');
      const end = () => {
        if (file === undefined) return;
        closeSync(file);
        file = undefined;
        arriving.delete(sha256);
        arrival.resolve(has(sha256));
      };
      return {
        ...sink,
        async write(chunk) {
          await sink.write(chunk);
          if (file !== undefined) writeSync(file, chunk);
        },
        async reset() {
          await sink.reset();
          if (file === undefined) return;
          closeSync(file);
          file = openSync(path, 'w');
        },
        async digest() {
          const digest = await sink.digest();
          if (file !== undefined && digest === sha256) {
            renameSync(path, at(sha256));
            end();
            thin();
          }
          return digest;
        },
        async close() {
          end();
          rmSync(path, { force: true });
          await sink.close();
        },
      };
    },
    take(path) {
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      if (!has(sha256)) copyFileSync(path, at(sha256));
      return sha256;
    },
    read: (sha256) => (has(sha256) ? readFileSync(at(sha256)) : undefined),
    async readApp(sha256) {
      if (!reads.has(sha256) && !has(sha256) && !(await arriving.get(sha256)?.promise)) return undefined;
      const reading = reads.get(sha256) ?? readApp(at(sha256));
      reads.set(sha256, reading);
      const app = await reading;
      // What couldn't be read may have been thinned out meanwhile, and come again.
      if (!app && reads.get(sha256) === reading) reads.delete(sha256);
      return app;
    },
    async apply(base, diff, of) {
      if (!base || !has(base)) return { ok: false, reason: 'baseWrong', message: 'the base is not at hand' };
      const key = `${base} ${of.sha256} ${of.fullSha256}`;
      const running = applied.get(key) ?? apply(base, diff, of);
      applied.set(key, running);
      // What failed for want of memory or a file may do the next time.
      running.catch(() => applied.delete(key));
      const made = await running;
      // What came of it may have been thinned out meanwhile.
      if (!made.ok || !of.fullSha256 || has(of.fullSha256)) return made;
      const again = apply(base, diff, of);
      applied.set(key, again);
      again.catch(() => applied.delete(key));
      return again;
    },
    close() {
      if (folder === undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
