export interface SparkLine {
  readonly values: readonly number[];
  readonly tone: 'good' | 'bad' | 'primary';
}

const [WIDTH, HEIGHT] = [100, 32];

function pathOf(values: readonly number[], top: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, at) => `${at === 0 ? 'M' : 'L'}${(at * step).toFixed(2)} ${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(2)}`)
    .join('');
}

/** A small line of a figure's last time; what it says is beside it, or in `label`. */
export function Spark({ lines, label, top }: { lines: readonly SparkLine[]; label: string; top?: number }) {
  const highest = top ?? Math.max(1, ...lines.flatMap((line) => line.values));
  return (
    <svg className="m-spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {lines.map(({ values, tone }) =>
        values.length > 1 ? (
          <g key={tone} className={`m-spark-${tone}`}>
            <path className="m-spark-fill" d={`${pathOf(values, highest)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
            <path className="m-spark-line" d={pathOf(values, highest)} vectorEffect="non-scaling-stroke" />
          </g>
        ) : null,
      )}
    </svg>
  );
}
