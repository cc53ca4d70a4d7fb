export interface Sized {
  readonly key: string;
  readonly width: number;
  /** Set by the person: keeps its width whatever room there is. */
  readonly fixed: boolean;
  /** Narrower than this it says too little. */
  readonly min?: number | undefined;
}

/** How far a column gives way before the table scrolls sideways. */
const SHARE = 0.75;
const floorOf = (column: Sized): number => Math.max(column.min ?? 0, Math.ceil(column.width * SHARE));

/**
 * Widths for the room that there is. What is left over goes to the columns whose width nobody chose, in proportion to their width; what is
 * missing is taken from them, each down to its least width.
 */
export function fitWidths(columns: readonly Sized[], room: number): Record<string, number> {
  const total = columns.reduce((sum, column) => sum + column.width, 0);
  const free = columns.filter((column) => !column.fixed);
  const growing = free.length > 0 ? free : columns.slice(-1);
  const base = growing.reduce((sum, column) => sum + column.width, 0);
  const extra = Math.max(0, room - total);
  const spare = free.reduce((sum, column) => sum + Math.max(0, column.width - floorOf(column)), 0);
  const taken = spare > 0 ? Math.min(1, Math.max(0, total - room) / spare) : 0;
  return Object.fromEntries(
    columns.map((column) => {
      if (!growing.includes(column) || base === 0) return [column.key, column.width];
      const given = (extra * column.width) / base;
      const lost = column.fixed ? 0 : taken * Math.max(0, column.width - floorOf(column));
      return [column.key, Math.floor(column.width + given - lost)];
    }),
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
