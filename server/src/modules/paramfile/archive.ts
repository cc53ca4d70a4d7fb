import { Fault } from '@mooring/contract/kit/fault';
import { paramLimits } from '@mooring/contract/paramfile/limits';
import { openZip, streamOf } from '../../platform/work/zip.ts';

/** One file of an upload. Its name is only ever read, never a path that anything is written to. */
export interface Packed {
  readonly path: string;
  readonly size: number;
  readonly encrypted: boolean;
  read(): Promise<Buffer>;
}

const outside = /^(absolute path|invalid relative path|invalid characters in fileName)/;
const faults = {
  broken: (error?: Error) => new Fault(outside.test(error?.message ?? '') ? 'PARAM_ZIP_NAMES' : 'PARAM_ZIP_BROKEN'),
  tooMany: () => new Fault('PARAM_ZIP_MANY'),
};

/** Folders, and what systems put beside people's files. */
const isFile = (path: string) => !path.endsWith('/') && !path.startsWith('__MACOSX/') && !(path.split('/').at(-1) ?? '').startsWith('.');

/**
 * The files of an archive by its own list. What it declares to unpack is bounded before anything is unpacked, and a file that unpacks to another
 * length than it declares is broken, so a bomb never grows.
 */
export async function openArchive(bytes: Buffer): Promise<readonly Packed[]> {
  const { zip, entries } = await openZip(bytes, { most: paramLimits.files, faults, strict: false });
  const files = entries.filter((entry) => isFile(entry.fileName));
  if (files.reduce((sum, entry) => sum + entry.uncompressedSize, 0) > paramLimits.bytes) throw new Fault('PARAM_ZIP_TOO_LARGE');
  return files.map((entry) => ({
    path: entry.fileName,
    size: entry.uncompressedSize,
    encrypted: entry.isEncrypted(),
    async read() {
      const stream = await streamOf(zip, entry, faults);
      const pieces: Buffer[] = [];
      try {
        for await (const piece of stream) pieces.push(piece as Buffer);
      } catch {
        throw faults.broken();
      }
      return Buffer.concat(pieces);
    },
  }));
}
