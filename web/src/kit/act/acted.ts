import { createContext, use } from 'react';

export const Acted = createContext<unknown>(undefined);
/** The row that is acted on, for controls and choices of its form. */
export const useActed = <R>(): R => use(Acted) as R;
