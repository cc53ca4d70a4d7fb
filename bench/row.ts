/** One figure of ours beside what people trust. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly anchor?: number | undefined;
  /** Of ours to the anchor's. */
  readonly ratio?: number | undefined;
  readonly unit: string;
  readonly target: string;
  /** Undefined where the anchor is missing: such a row doesn't pass. */
  readonly holds: boolean | undefined;
}

export interface Row {
  readonly id: string;
  readonly work: string;
  run(): Promise<readonly Figure[]>;
}

export const atLeast = (name: string, ours: number, anchor: number, ratio: number, unit: string): Figure => ({
  name,
  ours,
  anchor,
  ratio: ours / anchor,
  unit,
  target: `≥ ${ratio}×`,
  holds: ours / anchor >= ratio,
});
export const atMost = (name: string, ours: number, anchor: number, ratio: number, unit: string): Figure => ({
  name,
  ours,
  anchor,
  ratio: ours / anchor,
  unit,
  target: `≤ ${ratio}×`,
  holds: ours / anchor <= ratio,
});
export const below = (name: string, ours: number, limit: number, unit: string): Figure => ({
  name,
  ours,
  unit,
  target: `≤ ${limit} ${unit}`,
  holds: ours <= limit,
});
export const missing = (name: string, ours: number, unit: string, anchor: string): Figure => ({
  name,
  ours,
  unit,
  target: `anchor missing: ${anchor}`,
  holds: undefined,
});
/** Beside an anchor that sets no target. */
export const reported = (name: string, ours: number, unit: string, anchor?: number): Figure => ({
  name,
  ours,
  ...(anchor === undefined ? {} : { anchor, ratio: ours / anchor }),
  unit,
  target: 'reported',
  holds: undefined,
});
