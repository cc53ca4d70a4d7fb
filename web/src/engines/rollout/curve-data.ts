import type { ChartData } from '../../ui/chart-data.ts';

export interface CurvePoint {
  readonly at: string;
  readonly state: string;
  readonly count: number;
}

const MINUTE = 60_000;
const POINTS = 120;

/** Ended results added up over time: how many have succeeded and failed by then. Long releases are drawn in wider steps. */
export function curveData(points: readonly CurvePoint[], names: { good: string; bad: string }, write: (at: string) => string): ChartData {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return { categories: [], series: [] };
  const from = Date.parse(first.at);
  const span = Date.parse(last.at) - from;
  const step = Math.max(MINUTE, Math.ceil(span / POINTS / MINUTE) * MINUTE);
  const steps = Math.floor(span / step) + 1;
  const good = new Array<number>(steps).fill(0);
  const bad = new Array<number>(steps).fill(0);
  for (const point of points) {
    const at = Math.floor((Date.parse(point.at) - from) / step);
    const into = point.state === '3' || point.state === '6' ? good : bad;
    into[at] = (into[at] ?? 0) + point.count;
  }
  const summed = (values: readonly number[]) => {
    let sum = 0;
    return values.map((value) => (sum += value));
  };
  return {
    categories: Array.from({ length: steps }, (_, at) => write(new Date(from + at * step).toISOString())),
    series: [
      { key: 'good', name: names.good, values: summed(good), tone: 'good' },
      { key: 'bad', name: names.bad, values: summed(bad), tone: 'bad' },
    ],
  };
}

interface Run {
  readonly points: readonly CurvePoint[];
  readonly startedAt: string;
  readonly total: number;
  readonly name: string;
}

/** How large a share of its terminals each of two releases had updated, by the time since its start. */
export function comparedCurves(runs: readonly Run[], write: (seconds: number) => string): ChartData {
  const ended = runs.map(({ points, startedAt }) => {
    const start = Date.parse(startedAt);
    return points
      .filter(({ state }) => state === '3' || state === '6')
      .map(({ at, count }) => ({ after: Math.max(0, Date.parse(at) - start), count }));
  });
  const last = Math.max(0, ...ended.flat().map(({ after }) => after));
  const step = Math.max(MINUTE, Math.ceil(last / POINTS / MINUTE) * MINUTE);
  const steps = Math.ceil(last / step) + 1;
  return {
    categories: Array.from({ length: steps }, (_, at) => write((at * step) / 1000)),
    series: runs.map(({ name, total }, which) => ({
      key: String(which),
      name,
      values: Array.from({ length: steps }, (_, at) =>
        total === 0 ? null : (ended[which] ?? []).reduce((sum, { after, count }) => (after <= at * step ? sum + count : sum), 0) / total,
      ),
      tone: which === 0 ? ('good' as const) : ('ended' as const),
    })),
  };
}
