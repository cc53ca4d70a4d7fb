/** Storage that may be full, forbidden or absent. Keys carry the product's name. */
const named = (key: string) => `mooring.${key}`;

function access(storage: () => Storage) {
  return {
    get(key: string): string | undefined {
      try {
        return storage().getItem(named(key)) ?? undefined;
      } catch {
        return undefined;
      }
    },
    set(key: string, value: string | undefined): void {
      try {
        if (value === undefined) storage().removeItem(named(key));
        else storage().setItem(named(key), value);
      } catch {
        // Without storage a value lasts as long as its page.
      }
    },
  };
}

export const local = access(() => localStorage);
export const tab = access(() => sessionStorage);

export function parsed<T>(text: string | undefined, fallback: T): T {
  if (text === undefined) return fallback;
  try {
    return JSON.parse(text) as T;
  } catch {
    return fallback;
  }
}
