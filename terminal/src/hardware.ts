import { type HardwarePart, hardwareParts, type PartOutcome } from '@mooring/contract/hardware-test/parts';

/** What was found of a part. */
export interface PartFound {
  readonly part: string;
  readonly outcome: PartOutcome;
  readonly reason?: string;
  readonly message?: string;
  readonly figures?: Readonly<Record<string, number | string | boolean>>;
}

/** Parts that a command names; those that nobody here knows are said to be absent. */
export function partsIn(params: Readonly<Record<string, unknown>>): string[] {
  const { parts } = params;
  return Array.isArray(parts) ? [...new Set(parts.map(String))].slice(0, 64) : [...hardwareParts];
}
export const isPart = (name: string): name is HardwarePart => hardwareParts.some((part) => part === name);
