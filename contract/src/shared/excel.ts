export interface SheetCheck {
  readonly ok: boolean;
  readonly wrong: readonly { readonly column: number; readonly expected: string; readonly found: string }[];
  /** The rows below the header that hold anything, with their number in the sheet. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

/** Row one of the first sheet against the expected header cells, where those are given; blank rows are ignored. */
export function checkSheet(sheet: readonly (readonly string[])[], expected?: readonly string[]): SheetCheck {
  const header = sheet[0] ?? [];
  const wrong = (expected ?? []).flatMap((cell, column) => {
    const found = (header[column] ?? '').trim();
    return found === cell ? [] : [{ column, expected: cell, found }];
  });
  const rows = sheet
    .map((cells, at) => ({ number: at + 1, cells }))
    .slice(1)
    .filter((row) => row.cells.some((cell) => cell.trim() !== ''));
  return { ok: wrong.length === 0, wrong, rows };
}
