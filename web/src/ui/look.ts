import { createStore, type Store } from './store.ts';
import type { Density, Scheme } from './tokens.ts';

export type Theme = Scheme | 'system';
export interface Look {
  readonly theme: Theme;
  readonly density: Density;
}

const keep = 'mooring.look';

function stored(): Look {
  try {
    const found = JSON.parse(localStorage.getItem(keep) ?? '{}') as Partial<Look>;
    return {
      theme: found.theme === 'light' || found.theme === 'dark' ? found.theme : 'system',
      density: found.density === 'compact' ? 'compact' : 'comfortable',
    };
  } catch {
    return { theme: 'system', density: 'comfortable' };
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
