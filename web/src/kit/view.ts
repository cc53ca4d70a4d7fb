import { createContext, use } from 'react';
import { hrefOf } from './base.ts';

/** What a page knows of its address. A kept page that is hidden holds the one it was left with. */
export interface View {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly active: boolean;
}

export const ViewContext = createContext<View>({ path: '/', params: {}, search: new URLSearchParams(), active: true });
export const useView = (): View => use(ViewContext);

export interface GoOptions {
  replace?: boolean;
  /** Drawn before anything else happens. */
  flushSync?: boolean;
}
/** Set once by the shell; pages call no router hook, since those fail in a hidden page. */
let travel: (to: string, options: GoOptions) => void = (to) => location.assign(hrefOf(to));
export const onTravel = (act: typeof travel): void => {
  travel = act;
};

/** Goes to an address of this console. */
export const go = (to: string, options: GoOptions = {}): void => travel(to, options);

/** Changes the search part of the page's own address; a hidden page leaves the address alone. */
export function goSearch(view: View, search: URLSearchParams, options: GoOptions = { replace: true }): void {
  if (!view.active) return;
  const text = search.toString();
  go(`${view.path}${text ? `?${text}` : ''}`, options);
}

/** For what is chosen on the page: drawn at once, since what is chosen next builds on it. Not for effects. */
export const chooseSearch = (view: View, search: URLSearchParams): void => goSearch(view, search, { replace: true, flushSync: true });

/** The number in the address, for pages of one row. */
export const idIn = (view: View, name = 'id'): number => Number(view.params[name] ?? 0);
