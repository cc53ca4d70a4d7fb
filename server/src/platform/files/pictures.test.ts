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
    await redrawn(picture, 'own', (image) => {
      now += 1;
      most = Math.max(most, now);
      return image;
    });
    now -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, draw));
  expect(most).toBe(2);
});

test.each([
  ['own', 2000, 2001, 4],
  ['kept', 4096, 4097, 16],
] as const)(
  'a picture for %s use with more pixels than that takes is refused by that name, before it is unpacked',
  async (use, width, height, most) => {
    const blank = (rows: number) => sharp({ create: { width, height: rows, channels: 3, background: 'red' } });
    const large = await blank(height).png().toBuffer();
    await expect(redrawn(large, use, (image) => image)).rejects.toMatchObject({ fault: 'PICTURE_LARGE', params: { megapixels: most } });
    expect(
      (
        await redrawn(
          await blank(height - 1)
            .png()
            .toBuffer(),
          use,
          (image) => image.resize(8),
        )
      ).length,
    ).toBeGreaterThan(0);
  },
);
