import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawCaptcha, randomAnswer } from './captcha-picture.ts';

it('is pixels alone: nothing of the answer stands in it, and the same answer looks different each time', async () => {
  const answer = randomAnswer();
  const [first, second] = [await drawCaptcha(answer), await drawCaptcha(answer)];
  expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width: 160, height: 48 });
  expect(first.toString('latin1')).not.toContain(answer);
  expect(first.equals(second)).toBe(false);
});

it('has ink for every character of five, whichever they are', async () => {
  const dark = async (answer: string) =>
    (
      await sharp(await drawCaptcha(answer))
        .raw()
        .toBuffer()
    ).filter((value) => value < 90).length;
  const none = await dark('     ');
  for (let round = 0; round < 20; round++) expect(await dark(randomAnswer())).toBeGreaterThan(none + 400);
});
