/** What a process counts for /metrics since its start: a number for each name and its labels. */
export interface Counts {
  add(name: CountName, labels: Readonly<Record<string, string>>, by?: number): void;
  /** Every number of a name, with its labels. */
  of(name: CountName): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

export const counted = {
  task_results: {
    help: 'Results of terminals that were taken, by kind of task, outcome and reason',
    labels: ['kind', 'outcome', 'reason'],
  },
  store_failures: { help: 'Requests to the file store that failed, by what was asked', labels: ['operation'] },
} as const;
export type CountName = keyof typeof counted;

export function makeCounts(): Counts {
  const held = new Map<CountName, Map<string, number>>();
  return {
    add(name, labels, by = 1) {
      const numbers = held.get(name) ?? new Map<string, number>();
      held.set(name, numbers);
      const key = JSON.stringify(labels);
      numbers.set(key, (numbers.get(key) ?? 0) + by);
    },
    of: (name) => [...(held.get(name) ?? [])].map(([key, value]) => ({ labels: JSON.parse(key) as Record<string, string>, value })),
  };
}
