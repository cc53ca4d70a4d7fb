import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Manifest, manifestEntry } from './manifest.ts';
import { openZip } from './open-zip.ts';

export interface Archive {
  readonly manifest: Manifest;
  readonly names: readonly string[];
  open(name: string): Promise<Readable>;
  close(): void;
}

/** Opens a backup; refuses anything that is not a whole one. */
export async function readArchive(file: string): Promise<Archive> {
  const broken = (error: Error) => {
    throw new Error(`${file} is not a whole backup: ${error.message}`);
  };
  const zip = await openZip(file).catch(broken);
  const open = (name: string) => zip.open(name).catch(broken);
  try {
    const manifest = Manifest.safeParse(JSON.parse(await text(await open(manifestEntry))));
    if (!manifest.success) throw new Error(`${file} is not a backup that this version of Mooring can read.`);
    return { manifest: manifest.data, names: zip.names, open, close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}
