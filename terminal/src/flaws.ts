/** What may be wrong with a virtual terminal. The first kind arrives all the same, who refuses unless its person is asked; the second fails its first attempt, with a reason. */
export const survivable = ['drops', 'slow', 'shaky', 'tamper', 'geofence', 'refuses'] as const;
export const failing = ['corrupt', 'installFails', 'powerLost', 'noSpace', 'batteryLow'] as const;
export type Flaw = (typeof survivable)[number] | (typeof failing)[number];

/** Of the flaky ones every other fails, so that their number is known beforehand. */
export function flawOf(index: number, flaky: number): Flaw | undefined {
  if (index >= flaky) return undefined;
  const turn = Math.floor(index / 2);
  return index % 2 === 0 ? survivable[turn % survivable.length] : failing[turn % failing.length];
}

/** How many of so many flaky terminals fail their first attempt. */
export const failingAmong = (flaky: number): number => Math.floor(flaky / 2);
