import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { isPart, type PartFound } from './hardware.ts';
import { between, type Random } from './random.ts';

/** How each part fails, where it does. */
const failures: Readonly<Record<HardwarePart, Pick<PartFound, 'reason' | 'message'>>> = {
  printer: { reason: 'paperOut' },
  screen: { reason: 'noAnswer', message: 'no touch at the lower left' },
  cardReader: { reason: 'noAnswer', message: 'EMV kernel: timeout' },
  nfc: { reason: 'notRead' },
  scanner: { reason: 'notRead', message: 'no code within 10 s' },
  network: { reason: 'noSignal' },
  battery: { reason: 'worn' },
};

const figuresOf = (part: HardwarePart, random: Random): PartFound['figures'] => {
  const whole = (low: number, high: number) => Math.round(between(random, low, high));
  switch (part) {
    case 'printer':
      return { temperature: whole(28, 44), lines: 12 };
    case 'screen':
      return { points: 9 };
    case 'cardReader':
    case 'nfc':
    case 'scanner':
      return { readMs: whole(120, 900) };
    case 'network':
      return { latencyMs: whole(18, 240), signal: whole(-95, -50) };
    case 'battery':
      return { health: whole(78, 100), cycles: whole(20, 600) };
  }
};

/** A part that may be made to fail or be missing: `broken` is looked at each time. */
export async function testVirtualPart(
  part: string,
  broken: ReadonlySet<string>,
  missing: ReadonlySet<string>,
  random: Random,
): Promise<PartFound> {
  await new Promise((resolve) => setTimeout(resolve, between(random, 100, 400)));
  if (!isPart(part) || missing.has(part)) return { part, outcome: 'absent' };
  if (broken.has(part)) return { part, outcome: 'failed', ...failures[part] };
  return { part, outcome: 'passed', figures: figuresOf(part, random) ?? {} };
}
