import { createStore, type Store } from './store.ts';
import type { Density, Scheme } from './tokens.ts';

export type Theme = Scheme | 'system';
export interface Look {
  readonly theme: Theme;
  readonly density: Density;
}

const keep = 'mooring.look';
/** Where there is room for a long list, it is used. */
const usual = (): Density => (globalThis.innerWidth >= 1280 ? 'compact' : 'comfortable');

function stored(): Look {
  try {
    const found = JSON.parse(localStorage.getItem(keep) ?? '{}') as Partial<Look>;
    return {
      theme: found.theme === 'light' || found.theme === 'dark' ? found.theme : 'system',
      density: found.density === 'compact' || found.density === 'comfortable' ? found.density : usual(),
    };
  } catch {
    return { theme: 'system', density: usual() };
  }
}

export const look: Store<Look> = createStore(stored());

export function setLook(change: Partial<Look>): void {
  look.set((now) => ({ ...now, ...change }));
  try {
    localStorage.setItem(keep, JSON.stringify(look.get()));
  } catch {
    // A browser without storage keeps the look until the tab closes.
  }
}
