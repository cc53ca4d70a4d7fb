import { Fault } from '@mooring/contract/kit/fault';

const MOST_PIXELS = 40_000_000;
const LONGEST_SIDE = 4096;

/** A picture drawn anew: nothing but its pixels stays, and a bomb is refused before it is unpacked. */
export async function redraw(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', animated: false });
    const { format } = await image.metadata();
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') throw new Error('not a picture');
    return await image.rotate().resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true }).toFormat(format).toBuffer();
  } catch {
    throw new Fault('FILE_NOT_GENUINE');
  }
}
