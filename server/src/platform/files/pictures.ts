import { Fault } from '@mooring/contract/kit/fault';
import type { Sharp } from 'sharp';
import { inTurn } from '../in-turn.ts';

const SECONDS = 20;
/** A picture is a hundred times its file while it is drawn anew, and keeps a thread of the few that passwords are hashed on too. */
const drawing = inTurn({ atOnce: 2, queue: 50 });
/** Which library may look at uploaded bytes at all: a vector picture, a PDF or a raw one is turned away before anything reads it. */
const mayLoad = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];
const formats = ['png', 'jpeg', 'webp'] as const;
type Format = (typeof formats)[number];

/** How many pixels are read, by what for: the console sends one's own picture small already; what is kept is a photo of a telephone at most. */
const mostPixels = { own: 4_000_000, kept: 4096 * 4096 } as const;

/** What a form is told at its field when no picture could be drawn of what it gave. Who came when too many were at it may come again. */
export const refusedAt =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof Fault && error.fault === 'TOO_MANY') throw error;
    const isLarge = error instanceof Fault && error.fault === 'PICTURE_LARGE';
    const name = isLarge ? 'PICTURE_LARGE' : 'FILE_NOT_GENUINE';
    throw new Fault(name, { fields: { [field]: `fault.${name}` }, ...(isLarge ? { params: error.params } : {}) });
  };

/** A picture drawn anew: nothing but its pixels stays, and a bomb is refused before it is unpacked. Faults: FILE_NOT_GENUINE, PICTURE_LARGE, TOO_MANY. */
export async function redrawn(
  bytes: Buffer | string,
  use: keyof typeof mostPixels,
  shape: (image: Sharp, format: Format) => Sharp,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: mayLoad });
  const done = await drawing();
  try {
    const image = sharp(bytes, { limitInputPixels: mostPixels[use], failOn: 'error', animated: false }).timeout({ seconds: SECONDS });
    const { format } = await image.metadata();
    const known = formats.find((one) => one === format);
    if (!known) throw new Error('not a picture');
    return await shape(image.rotate(), known).toBuffer();
  } catch (error) {
    if (/pixel limit/.test(String(error))) throw new Fault('PICTURE_LARGE', { params: { megapixels: Math.floor(mostPixels[use] / 1e6) } });
    throw new Fault('FILE_NOT_GENUINE');
  } finally {
    done();
  }
}
