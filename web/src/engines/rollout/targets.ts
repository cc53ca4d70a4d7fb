import { parsed, tab } from '../../kit/storage.ts';

/** Terminals that a list or the map hands to a wizard: more than an address holds, so the address has their key alone. The last that were handed over are kept. */
interface Kept {
  readonly key: string;
  readonly sns: string[];
}
const PLACE = 'targets';

export function keepTargets(sns: string[]): string {
  const key = Math.random().toString(36).slice(2);
  tab.set(PLACE, JSON.stringify({ key, sns } satisfies Kept));
  return key;
}
/** Of a key that isn't kept any more, none: never all there are. */
export function targetsOf(key: string): string[] {
  const kept = parsed<Kept | undefined>(tab.get(PLACE), undefined);
  return kept?.key === key ? kept.sns : [];
}
