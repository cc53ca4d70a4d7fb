/** A spreadsheet takes cells that begin like this for formulas, in full width too: an apostrophe makes them text (design 5, "Input"). */
export const defuse = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);
/** What `defuse` was given: a sheet that was exported is imported again. */
export const fused = (cell: string): string => (cell.startsWith("'") && defuse(cell.slice(1)) === cell ? cell.slice(1) : cell);

export type Cell = string | number | boolean | Date | null | undefined;
export const textOf = (cell: Cell): string =>
  cell === null || cell === undefined ? '' : cell instanceof Date ? cell.toISOString() : String(cell);
