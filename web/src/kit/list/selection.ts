import type { RowId } from '../../ui/table.tsx';

/** Rows by name, or everything that matches but some. */
export type Selection =
  | { readonly kind: 'rows'; readonly ids: ReadonlyMap<RowId, string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<RowId> };

export const nothing: Selection = { kind: 'rows', ids: new Map() };
export const everything: Selection = { kind: 'all', except: new Set() };

export const has = (selection: Selection, id: RowId): boolean =>
  selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id);
export const isEmpty = (selection: Selection): boolean => selection.kind === 'rows' && selection.ids.size === 0;
export const countOf = (selection: Selection, total: number): number =>
  selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.ids.size;

/** What is left of what was chosen among the rows of an earlier question: what the answer shows too. */
export const among = (selection: Selection, shown: readonly RowId[]): Selection =>
  selection.kind === 'all' ? nothing : { kind: 'rows', ids: new Map([...selection.ids].filter(([id]) => shown.includes(id))) };

export interface Named {
  readonly id: RowId;
  readonly name: string;
}

export function setRows(selection: Selection, rows: readonly Named[], chosen: boolean): Selection {
  if (selection.kind === 'all') {
    const except = new Set(selection.except);
    for (const { id } of rows) chosen ? except.delete(id) : except.add(id);
    return { kind: 'all', except };
  }
  const ids = new Map(selection.ids);
  for (const { id, name } of rows) chosen ? ids.set(id, name) : ids.delete(id);
  return { kind: 'rows', ids };
}

/** With Shift: everything between the last one touched and this one. */
export function between(rows: readonly Named[], from: RowId | undefined, to: RowId): readonly Named[] {
  const start = rows.findIndex((row) => row.id === from);
  const end = rows.findIndex((row) => row.id === to);
  if (start < 0) return rows.slice(end, end + 1);
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}

export const pageState = (selection: Selection, rows: readonly Named[]): 'all' | 'some' | 'none' => {
  const chosen = rows.filter((row) => has(selection, row.id)).length;
  return chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some';
};

/** As a bulk call takes it. */
export const ofSelection = (selection: Selection, criteria: unknown) =>
  selection.kind === 'all' ? { criteria, except: [...selection.except] } : { ids: [...selection.ids.keys()] };
