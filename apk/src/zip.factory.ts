import { crc32 } from 'node:zlib';
import { repack } from '@mooring/contract/app/repack';
import { u16, u32 } from './axml.factory.ts';

/** Test data: an archive as it should be, and, by `local` and the like, as it shouldn't. */
export interface TestFile {
  readonly name: string | Buffer;
  readonly bytes: Uint8Array;
  readonly isStored?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly attributes?: number;
  readonly madeBy?: number;
  /** What the directory says of its length. */
  readonly size?: number;
  readonly packed?: number;
  readonly crc?: number;
  /** What its own header says instead. */
  readonly local?: {
    readonly name?: string;
    readonly size?: number;
    readonly crc?: number;
    readonly flags?: number;
    readonly method?: number;
  };
  /** Where the directory says that it lies. */
  readonly at?: number;
  /** Bytes before it. */
  readonly before?: Buffer;
  readonly after?: Buffer;
}
export interface TestArchive {
  /** Bytes before, between files and directory, between directory and closing record, and behind. */
  readonly first?: Buffer;
  readonly beforeDirectory?: Buffer;
  readonly beforeEnd?: Buffer;
  readonly comment?: Buffer;
  readonly last?: Buffer;
  readonly count?: number;
}

/** As the tools that build packages do it: with zlib itself, whose bytes Node’s aren’t. */
const deflated = (bytes: Uint8Array): Buffer => Buffer.from(repack({ image: bytes, plan: [[0, bytes.length, 6]] }) ?? []);

const sizesOf = (file: TestFile, packed: Buffer) => ({
  method: file.method ?? (file.isStored ? 0 : 8),
  flags: file.flags ?? 0,
  crc: file.crc ?? crc32(file.bytes),
  packed: file.packed ?? packed.length,
  size: file.size ?? file.bytes.length,
});

export function zipBytes(files: readonly TestFile[], archive: TestArchive = {}): Buffer {
  const pieces: Buffer[] = [archive.first ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = pieces[0]?.length ?? 0;
  const add = (...bytes: Buffer[]) => {
    pieces.push(...bytes);
    at += bytes.reduce((sum, { length }) => sum + length, 0);
  };
  for (const file of files) {
    const packed = file.isStored ? Buffer.from(file.bytes) : deflated(file.bytes);
    const name = Buffer.from(file.name);
    const said = sizesOf(file, packed);
    add(file.before ?? Buffer.alloc(0));
    const here = file.at ?? at;
    const localName = file.local?.name === undefined ? name : Buffer.from(file.local.name);
    const local = { ...said, ...file.local };
    add(u32(0x04034b50), u16(20, local.flags, local.method, 0, 0x21), u32(local.crc, local.packed, local.size), u16(localName.length, 0));
    add(localName, packed, file.after ?? Buffer.alloc(0));
    const head = [u32(0x02014b50), u16(file.madeBy ?? 20, 20, said.flags, said.method, 0, 0x21), u32(said.crc, said.packed, said.size)];
    directory.push(...head, u16(name.length, 0, 0, 0, 0), u32(file.attributes ?? 0, here), name);
  }
  add(archive.beforeDirectory ?? Buffer.alloc(0));
  const listed = Buffer.concat(directory);
  const comment = archive.comment ?? Buffer.alloc(0);
  const count = archive.count ?? files.length;
  const end = Buffer.concat([u32(0x06054b50), u16(0, 0, count, count), u32(listed.length, at), u16(comment.length), comment]);
  return Buffer.concat([...pieces, listed, archive.beforeEnd ?? Buffer.alloc(0), end, archive.last ?? Buffer.alloc(0)]);
}
