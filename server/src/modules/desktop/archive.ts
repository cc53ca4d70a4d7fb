import { ContentDocument, DOCUMENT_MOST, DOCUMENT_NAME } from '@mooring/contract/desktop/content-document';
import { extensionOf } from '@mooring/contract/file/kinds';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { ContentFile } from './content-files.ts';

const BLOCK = 512;
const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits - 1, '0')}\0`;

/** A header of POSIX ustar. Whose file it is and when it was made is left out, so that the same content has the same bytes. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100, 'utf8');
  block.write(octal(0o644, 8), 100, 'latin1');
  block.write(octal(0, 8), 108, 'latin1');
  block.write(octal(0, 8), 116, 'latin1');
  block.write(octal(size, 12), 124, 'latin1');
  block.write(octal(0, 12), 136, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

export const pathIn = ({ sha256, name }: Pick<ContentFile, 'sha256' | 'name'>): string => `files/${sha256}.${extensionOf(name)}`;

/** One file for a terminal: what it is of, and then every file once. Undefined where what it says is too long. */
export function archiveOf(
  said: Pick<ContentDocument, 'kind' | 'name' | 'values'>,
  files: readonly ContentFile[],
  store: BlobStore,
): AsyncGenerator<Buffer> | undefined {
  const once = [...new Map(files.map((one) => [pathIn(one), one]))].sort(([a], [b]) => (a < b ? -1 : 1));
  const listed = once.map(([path, { sha256, size }]) => ({ path, sha256, size }));
  const document: ContentDocument = { format: 1, ...said, files: listed };
  const text = Buffer.from(JSON.stringify(document));
  // What no terminal could read isn't packed.
  return text.length > DOCUMENT_MOST || !ContentDocument.safeParse(document).success ? undefined : pack(text, once, store);
}

async function* pack(text: Buffer, files: readonly (readonly [string, ContentFile])[], store: BlobStore): AsyncGenerator<Buffer> {
  yield header(DOCUMENT_NAME, text.length);
  yield text;
  yield padding(text.length);
  for (const [path, { sha256, size }] of files) {
    yield header(path, size);
    let read = 0;
    for await (const chunk of await store.read(sha256)) {
      read += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (read !== size) throw new Error(`${sha256} has ${read} bytes instead of ${size}`);
    yield padding(size);
  }
  yield Buffer.alloc(2 * BLOCK);
}
