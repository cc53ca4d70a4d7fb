import sharp from 'sharp';
import { expect, test } from 'vitest';
import { redrawn } from './pictures.ts';

test('two pictures are drawn at once in the whole server, whoever’s they are; the others wait for their turn', async () => {
  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  let now = 0;
  let most = 0;
  const draw = async () => {
    await redrawn(picture, 1_000_000, (image) => {
      now += 1;
      most = Math.max(most, now);
      return image;
    });
    now -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, draw));
  expect(most).toBe(2);
});
