import { Ring } from '@mooring/contract/engines/rollout/rings';
import { check } from '../../kit/form/schema.ts';
import type { Values } from '../../kit/form/types.ts';
import type { Words } from '../../ui/words.ts';

/** A ring under way: a cleared number is `null`, text that is no number stays as it was typed. */
export type RingDraft = { readonly [K in keyof Ring]?: Ring[K] | null | string };
export const ringKinds = ['share', 'deptIds', 'groupIds', 'merchantIds', 'tags', 'sns'] as const;
export type RingKind = (typeof ringKinds)[number];

/** Which ring is wrong, and what of it: the first of those that are. */
export function wrongRing(rings: readonly RingDraft[]): { readonly ring: number; readonly words: Words } | undefined {
  for (const [at, ring] of rings.entries()) {
    const [words] = Object.values(check(Ring, ring as Values));
    if (words) return { ring: at + 1, words };
  }
  const shares = rings.map((ring) => (kindOf(ring) === 'share' ? Number(ring.share) : 0));
  const at = shares.findIndex((share, no) => share > 0 && share <= Math.max(0, ...shares.slice(0, no)));
  return at < 0 ? undefined : { ring: at + 1, words: 'invalid.ringShares' };
}

const all = { share: 100, openAt: 90, waitForPerson: false };
export const allAtOnce: readonly RingDraft[] = [all];
export const usualRings: readonly RingDraft[] = [{ ...all, share: 5 }, { ...all, share: 25 }, all];

export const kindOf = (ring: RingDraft): RingKind => ringKinds.find((kind) => kind !== 'share' && kind in ring) ?? 'share';

/** The same ring for other terminals. */
export function ringAs(ring: RingDraft, kind: RingKind): RingDraft {
  const { share, deptIds: _depts, groupIds: _groups, merchantIds: _merchants, tags: _tags, sns: _sns, ...rules } = ring;
  return kind === 'share' ? { ...rules, share: kindOf(ring) === 'share' ? share : 10 } : { ...rules, share: 100, [kind]: [] };
}

/** One more before the last, with a share between the largest so far and all. */
export function withRing(rings: readonly RingDraft[]): readonly RingDraft[] {
  const before = rings.slice(0, -1);
  const reached = Math.max(0, ...before.map((ring) => (kindOf(ring) === 'share' ? Number(ring.share) || 0 : 0)));
  return [...before, { ...all, share: Math.min(99, Math.max(reached + 1, Math.round((reached + 100) / 2))) }, ...rings.slice(-1)];
}

export function withoutRing(rings: readonly RingDraft[], at: number): readonly RingDraft[] {
  const left = rings.filter((_ring, other) => other !== at);
  return left.length > 1 ? left : allAtOnce;
}
