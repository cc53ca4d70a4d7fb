export interface Sized {
  readonly key: string;
  readonly width: number;
  /** Set by the person: keeps its width when there is room to share out. */
  readonly fixed: boolean;
}

/** Shares out the room that is left among the columns whose width nobody chose, in proportion to their width. */
export function fitWidths(columns: readonly Sized[], room: number): Record<string, number> {
  const total = columns.reduce((sum, column) => sum + column.width, 0);
  const free = columns.filter((column) => !column.fixed);
  const growing = free.length > 0 ? free : columns.slice(-1);
  const base = growing.reduce((sum, column) => sum + column.width, 0);
  const extra = Math.max(0, room - total);
  return Object.fromEntries(
    columns.map((column) => [
      column.key,
      growing.includes(column) && base > 0 ? Math.floor(column.width + (extra * column.width) / base) : column.width,
    ]),
  );
}

export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The rows that are in view, with some above and below, so that a scroll meets no gap. */
export function windowOf(count: number, rowHeight: number, scrolled: number, height: number, spare = 12): Window {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - spare);
  return { first, last: Math.min(count, Math.ceil((scrolled + height) / rowHeight) + spare) };
}
