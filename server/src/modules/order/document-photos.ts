import { buffer } from 'node:stream/consumers';
import { PICTURE } from '@mooring/contract/desktop/limits';
import { kindOf } from '@mooring/contract/file/kinds';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { redrawn } from '../../platform/files/pictures.ts';

/** On paper a photo takes half of the width: at this size it is sharp there, and nine of them are less than two megabytes. */
const SIDE = 900;

async function small(store: BlobStore, sha256: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await buffer(await store.read(sha256));
    const fits = { width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true } as const;
    return await redrawn(bytes, 'kept', (image) => image.resize(fits).flatten({ background: '#ffffff' }).jpeg({ quality: 70 }));
  } catch (error) {
    // One that nobody can draw leaves its place to the others; too many documents at once are refused as a whole.
    if (error instanceof Fault && error.fault !== 'TOO_MANY') return undefined;
    throw error;
  }
}

/** The photos of an order that the actor may read, as a document shows them. Each file is its uploader's: past the policy. */
export async function documentPhotos(ctx: Ctx, store: BlobStore, photos: readonly number[]): Promise<Uint8Array[]> {
  if (photos.length === 0) return [];
  const files = await ctx.unscoped((db) => db.selectFrom('file_file').select(['id', 'sha256', 'size']).where('id', 'in', photos).execute());
  const most = kindOf(PICTURE)?.maxBytes ?? 0;
  const pictures: Uint8Array[] = [];
  for (const id of photos) {
    const file = files.find((one) => one.id === id);
    const picture = file && Number(file.size) <= most ? await small(store, file.sha256) : undefined;
    if (picture) pictures.push(picture);
  }
  return pictures;
}
