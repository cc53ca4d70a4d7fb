import type { Config } from './config/config.ts';

/** What those may hold who have not proved who they are, in all and of one address. */
export interface UnprovenLimits {
  readonly connections: number;
  /** Above it, who had their chance goes first. */
  readonly perAddress: number;
  /** To prove it. */
  readonly seconds: number;
}
export const unprovenDefaults: UnprovenLimits = { connections: 4000, perAddress: 500, seconds: 15 };
export const unprovenOf = (config: Config): UnprovenLimits => ({
  connections: config.UNPROVEN_CONNECTIONS,
  perAddress: config.UNPROVEN_PER_ADDRESS,
  seconds: config.UNPROVEN_SECONDS,
});

/** Nobody is sent away for company's sake before: thousands of terminals come back at once behind one address. */
const CHANCE_MS = 3000;
const SWEEP_MS = 1000;

interface Guest<C> {
  readonly connection: C;
  readonly home: string;
  since: number;
}

/** An IPv6 household has a whole /64. */
export function homeOf(address: string | undefined): string {
  if (!address) return '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${all.slice(0, 4).join(':')}::/64`;
}

/**
 * Connections of unknown people and terminals, the oldest first. When there are too many, the oldest of the address that holds the most is
 * ended: a flood displaces itself. `isMoving` says
 * whether one that is out of time still gets what it asked for.
 */
export function unprovenGuests<C>(
  limits: UnprovenLimits,
  end: (connection: C) => void,
  isMoving: (connection: C) => boolean = () => false,
) {
  const guests = new Map<C, Guest<C>>();
  const homes = new Map<string, Set<Guest<C>>>();
  /** Addresses by how many they hold, so that the fullest is found at once. */
  const bySize = new Map<number, Set<string>>();
  let fullest = 0;

  const resize = (home: string, from: number, to: number) => {
    bySize.get(from)?.delete(home);
    if (bySize.get(from)?.size === 0) bySize.delete(from);
    if (to > 0) {
      const same = bySize.get(to);
      if (same) same.add(home);
      else bySize.set(to, new Set([home]));
    }
    fullest = Math.max(fullest, to);
    while (fullest > 0 && !bySize.has(fullest)) fullest -= 1;
  };
  const remove = (connection: C): boolean => {
    const guest = guests.get(connection);
    if (!guest) return false;
    guests.delete(connection);
    const own = homes.get(guest.home);
    if (own?.delete(guest)) resize(guest.home, own.size + 1, own.size);
    if (own?.size === 0) homes.delete(guest.home);
    return true;
  };
  const expel = (guest: Guest<C> | undefined) => {
    if (guest && remove(guest.connection)) end(guest.connection);
  };
  const oldestOf = (home: string | undefined) => (home === undefined ? undefined : homes.get(home)?.values().next().value);

  const renew = (connection: C): void => {
    const guest = guests.get(connection);
    if (!guest) return;
    guest.since = performance.now();
    guests.delete(connection);
    guests.set(connection, guest);
    const own = homes.get(guest.home);
    own?.delete(guest);
    own?.add(guest);
  };

  const sweep = setInterval(() => {
    const limit = performance.now() - limits.seconds * 1000;
    for (const guest of guests.values()) {
      if (guest.since > limit) break;
      if (isMoving(guest.connection)) renew(guest.connection);
      else expel(guest);
    }
  }, SWEEP_MS);
  sweep.unref();

  return {
    add(connection: C, address: string | undefined): void {
      if (guests.size >= limits.connections) expel(oldestOf(bySize.get(fullest)?.values().next().value));
      const home = homeOf(address);
      const oldest = oldestOf(home);
      const now = performance.now();
      if (oldest && (homes.get(home)?.size ?? 0) >= limits.perAddress && now - oldest.since > CHANCE_MS) expel(oldest);
      const guest = { connection, home, since: now };
      guests.set(connection, guest);
      const own = homes.get(home) ?? new Set();
      homes.set(home, own);
      own.add(guest);
      resize(home, own.size - 1, own.size);
    },
    /** It did something that ends by itself: its time begins anew. */
    renew,
    /** It proved who it is, or left. */
    left: (connection: C): void => void remove(connection),
    size: () => guests.size,
    stop: () => clearInterval(sweep),
  };
}
