import { z } from 'zod';
import { closestScreen, type Measured } from './screen-fit.ts';

const Drawn = z.looseObject({ width: z.number().positive(), height: z.number().positive() });
type Drawn = z.output<typeof Drawn>;
const drawnIn = (value: unknown): Drawn[] => {
  const { data } = Drawn.safeParse(value);
  return data ? [data] : [];
};

/** Of what the archive of a desktop says (`values`) what a terminal with this screen shows; undefined where it is drawn up for none. */
export function homeScreen(values: Readonly<Record<string, unknown>>, screen: Measured | undefined): Drawn | undefined {
  const [main] = drawnIn(values);
  const sizes = Array.isArray(values.sizes) ? values.sizes.flatMap(drawnIn) : [];
  return main && closestScreen(main, sizes, screen);
}
