import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { applyEither } from '@mooring/contract/app/entries-diff';
import { type Bytes, type Decompress, type DiffFrame, FRAME_BYTES, FRAMED_FROM, frameHeader } from '@mooring/contract/device/diff-frames';
import { sliceFinder } from './find-slices.ts';

/** Made once and fetched by thousands (docs/bench.md, P15): what a level below would save in time it costs in bytes, a fifth more. */
export const LEVEL = 19;
const LEAST_LOG = 10;
/** Tables that reach all of a slice and its frame: with the level's own, half of what can't be compressed by itself isn't found again. */
const TABLES = { hash: 24, chain: 26 };
const logOf = (bytes: number) => Math.max(LEAST_LOG, Math.ceil(Math.log2(bytes + 1)));
/** A base that begins like a trained dictionary would be read as one. */
const TRAINED = 0xec30a437;
/** Of one frame in the list of them, at most. */
const ENTRY = 48;

/** Whether this server's Node can make differences. */
export const canMake = (): boolean => typeof zstdCompress === 'function' && typeof zstdDecompress === 'function';

export interface OpenBytes extends Bytes {
  close(): Promise<void>;
}
export async function openBytes(path: string): Promise<OpenBytes> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    size,
    async read(at, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
      let got = 0;
      while (got < bytes.length) {
        const { bytesRead } = await file.read(bytes, got, bytes.length - got, at + got);
        if (bytesRead === 0) throw new Error('the file became shorter');
        got += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  };
}

const dictionaryOf = (bytes: Uint8Array) => (bytes.length > 0 ? { dictionary: bytes } : {});

/** Known to Node, and not yet to its types. */
const ofSize = (bytes: Uint8Array) => ({ pledgedSrcSize: bytes.length });

/** Into one frame of zstd, with a raw dictionary. */
export const compress = (bytes: Uint8Array, dictionary: Uint8Array = new Uint8Array(0), level = LEVEL): Promise<Buffer> =>
  promisify(zstdCompress)(bytes, {
    ...dictionaryOf(dictionary),
    ...ofSize(bytes),
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      // All of the dictionary can be reached as long as the whole frame is within the window.
      [constants.ZSTD_c_windowLog]: logOf(bytes.length),
      [constants.ZSTD_c_hashLog]: Math.min(TABLES.hash, logOf(bytes.length + dictionary.length)),
      [constants.ZSTD_c_chainLog]: Math.min(TABLES.chain, logOf(bytes.length + dictionary.length) + 1),
    },
  });
export const decompress: Decompress = (bytes, dictionary, size) =>
  promisify(zstdDecompress)(bytes, { ...dictionaryOf(dictionary), maxOutputLength: Math.max(1, size) });

const isTrained = (slice: Uint8Array) => slice.length >= 4 && Buffer.from(slice.subarray(0, 4)).readUInt32LE() === TRAINED;

interface Making {
  /** Of the image, how much is done. */
  readonly onProgress?: (share: number) => void;
  readonly level?: number;
  readonly write: (bytes: Uint8Array, at: number) => Promise<void>;
}

/** Writes what makes `full` of `base`; answers in how many frames, 0 where it needs none. */
export async function makeDifference(base: Bytes, full: Bytes, { write, onProgress, level = LEVEL }: Making): Promise<number> {
  const begins = await base.read(0, 4);
  if (base.size <= FRAMED_FROM && full.size <= FRAMED_FROM && !isTrained(begins)) {
    await write(await compress(await full.read(0, full.size), await base.read(0, base.size), level), 0);
    return 0;
  }
  const find = await sliceFinder(base, full);
  const room = 2 + ENTRY * Math.ceil(full.size / FRAME_BYTES);
  let at = frameHeader([], room).length;
  const frames: DiffFrame[] = [];
  for (let from = 0; from < full.size; from += FRAME_BYTES) {
    const to = Math.min(full.size, from + FRAME_BYTES);
    const found = await find(from, to);
    const looked = await base.read(found.at, found.size);
    const shift = isTrained(looked) ? 1 : 0;
    const packed = await compress(await full.read(from, to - from), looked.subarray(shift), level);
    await write(packed, at);
    frames.push([found.at + shift, found.size - shift, to - from, packed.length]);
    at += packed.length;
    onProgress?.(to / full.size);
  }
  await write(frameHeader(frames, room), 0);
  return frames.length;
}

/** What a difference makes of its base, piece by piece. */
export const applyDifference = (base: Bytes, diff: Bytes, size: number) => applyEither(base, diff, size, decompress);
