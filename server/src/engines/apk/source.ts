import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BrokenPackage } from './broken.ts';

/** Bytes that are read piece by piece, so that a large package is never held whole. */
export interface Source {
  readonly size: number;
  /** Exactly so many bytes; a place outside is a damaged package. Into `target` where one is given, which the next reading may overwrite. */
  read(at: number, length: number, target?: Buffer): Buffer;
}

const within = (size: number, at: number, length: number): void => {
  if (at < 0 || length < 0 || at + length > size) throw new BrokenPackage('ARCHIVE_BROKEN');
};

export const bytesSource = (bytes: Uint8Array): Source => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: whole.length,
    read: (at, length) => {
      within(whole.length, at, length);
      return whole.subarray(at, at + length);
    },
  };
};

export interface FileSource extends Source {
  close(): void;
}

export function fileSource(path: string): FileSource {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  return {
    size,
    read: (at, length, target) => {
      within(size, at, length);
      const bytes = target ? target.subarray(0, length) : Buffer.allocUnsafe(length);
      for (let got = 0; got < length; ) {
        const more = readSync(file, bytes, got, length - got, at + got);
        // Cut while it is read.
        if (more === 0) throw new BrokenPackage('ARCHIVE_BROKEN');
        got += more;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}
