import { closeSync, openSync, writeSync } from 'node:fs';

/** Where a signed package is written to, from its beginning to its end. */
export interface Sink {
  readonly written: number;
  write(bytes: Uint8Array): void;
}

export interface FileSink extends Sink {
  close(): void;
}

export function fileSink(path: string): FileSink {
  const file = openSync(path, 'w');
  let written = 0;
  return {
    get written() {
      return written;
    },
    write: (bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
      written += bytes.length;
    },
    close: () => closeSync(file),
  };
}
