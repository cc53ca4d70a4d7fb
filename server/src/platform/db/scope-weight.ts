/**
 * How much lies in a scope, roughly. The database keeps one plan for a named statement, made for the scope that asked first: made for an
 * organisation of a hundred devices it read two thousand pages for each presence of one of ten thousand. So each weight has plans of its own.
 */
export type Weight = 'light' | 'middle' | 'heavy';

const MIDDLE = 2000;
const HEAVY = 50_000;
const KEPT = 20_000;
const known = new Map<string, Weight>();

/** What a page saw: the next ones are planned for it. Each process finds it out by itself, and nobody depends on it. */
export function noteWeight(scope: string, devices: number): void {
  if (known.size >= KEPT && !known.has(scope)) known.clear();
  known.set(scope, devices < MIDDLE ? 'light' : devices < HEAVY ? 'middle' : 'heavy');
}

/** Whether a page has seen how much lies there: a plan made for an unknown scope may be kept for others that it is wrong for. */
export const isWeighed = (scope: string): boolean => known.has(scope);

/** Paths of the platform and its product lines hold much until it is known; an organisation's little. */
export const weightOf = (scope: string): Weight => known.get(scope) ?? (scope.split('.').length > 3 ? 'light' : 'heavy');
