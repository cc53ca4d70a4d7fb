import type { Measured } from '@mooring/contract/desktop/screen-fit';

/** Screens of the models that virtual terminals are of; one that isn't here has none that it knows. */
const models: Readonly<Record<string, Measured>> = {
  A920: { width: 720, height: 1280 },
  'MP-A20': { width: 720, height: 1280 },
  'MP-D10': { width: 1280, height: 800 },
  'MP-M3': { width: 320, height: 240 },
};
export const screenOf = (product: string): Measured | undefined => models[product];

/** As a command is told them: `1280x800,320x240`. */
export const screensIn = (text: string): Measured[] =>
  text.split(',').map((one) => {
    const [width = 0, height = 0] = one.split('x').map(Number);
    return { width, height };
  });
