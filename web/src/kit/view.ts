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

/** Whether the address is still this page's: a hidden page, and an answer that comes after its page was left, leave another's alone. */
const isHere = ({ path, active }: View): boolean => active && new URL(hrefOf(path), location.href).pathname === location.pathname;

/** The search part as it is at this moment, for what changes a part of it: what was drawn may be of before, where an answer came late. */
export const searchNow = (view: View): URLSearchParams => new URLSearchParams(isHere(view) ? location.search : view.search);

/** Leads on after an answer, unless the person has gone elsewhere meanwhile. */
export const goOn = (view: View, to: string, options: GoOptions = {}): void => {
  if (isHere(view)) go(to, options);
};

/** Changes the search part of the page's own address by itself; what is chosen on the page is `chooseSearch`. */
export function goSearch(view: View, search: URLSearchParams, options: GoOptions = { replace: true }): void {
  if (!isHere(view)) return;
  const text = search.toString();
  go(`${view.path}${text ? `?${text}` : ''}`, options);
}

/**
 * For what is chosen on the page: drawn at once, since what is chosen next builds on it, and what stood there before can't be pressed any
 * more. Not for effects.
 */
export const chooseSearch = (view: View, search: URLSearchParams, replace = true): void =>
  goSearch(view, search, { replace, flushSync: true });

/** The number in the address, for pages of one row. */
export const idIn = (view: View, name = 'id'): number => Number(view.params[name] ?? 0);
