import { redrawn } from '../../platform/files/pictures.ts';

const LONGEST_SIDE = 4096;

/** As it was given, by its bytes or its path, but for its size. */
export const redraw = (bytes: Buffer | string): Promise<Buffer> =>
  redrawn(bytes, 'kept', (image, format) =>
    image.resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true }).toFormat(format),
  );
