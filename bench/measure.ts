/** The value in the middle; of an even number the lower of the two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Ours and its anchors, one after the other, again and again: what disturbs the machine disturbs all of them. The first round only warms up. */
export async function alternate<K extends string>(
  sides: Readonly<Record<K, () => Promise<number>>>,
  rounds = 5,
): Promise<Record<K, number[]>> {
  const names = Object.keys(sides) as K[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const value = await sides[name]();
      if (round > 0) found[name].push(value);
    }
  }
  return found;
}

export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** So many askers, each asking again as soon as it was answered, for so long. */
export async function load(atOnce: number, seconds: number, ask: (turn: number) => Promise<void>): Promise<Load> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1000;
  let turn = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const started = performance.now();
        turn += 1;
        await ask(turn);
        took.push(performance.now() - started);
      }
    }),
  );
  return { rate: took.length / seconds, p50: quantile(took, 0.5), p95: quantile(took, 0.95) };
}

/** How long something takes, in seconds. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
