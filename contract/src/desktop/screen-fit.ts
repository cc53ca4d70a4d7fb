/** A screen in pixels, as it is looked at. */
export interface Measured {
  readonly width: number;
  readonly height: number;
}
/** No two screens of a desktop are of one size: it is what people know them by. */
export const sizeWords = ({ width, height }: Measured): string => `${width} × ${height}`;

/** The larger over the smaller, as a fraction: exact, so that everybody comes to the same. */
type Apart = readonly [over: number, under: number];
const apart = (one: number, other: number): Apart => (one > other ? [one, other] : [other, one]);
const compared = ([a, b]: Apart, [c, d]: Apart): number => Math.sign(a * d - c * b);

const shapeApart = (one: Measured, other: Measured) => apart(one.width * other.height, other.width * one.height);
const areaApart = (one: Measured, other: Measured) => apart(one.width * one.height, other.width * other.height);

/** Of what is drawn up for several screens the one for this screen: of its size, else the closest in shape and then in area, the first of several. */
export function closestScreen<S extends Measured>(main: S, others: readonly S[], screen: Measured | undefined): S {
  if (!screen || !(screen.width > 0 && screen.height > 0)) return main;
  const order = (one: S, other: S) =>
    compared(shapeApart(one, screen), shapeApart(other, screen)) || compared(areaApart(one, screen), areaApart(other, screen));
  return others.reduce((best, one) => (order(one, best) < 0 ? one : best), main);
}
