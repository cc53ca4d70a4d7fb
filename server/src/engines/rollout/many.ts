/** One act on rows that are named, or that match: how the calls say it. */
export interface Many<C> {
  readonly of: { ids: number[] } | { criteria: C; except: number[] };
  readonly preview: boolean;
}
/** So many rows of a list are done one by one. */
export const MOST = 1000;
