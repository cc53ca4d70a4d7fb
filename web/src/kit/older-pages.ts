import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { useCall, useCalls } from './queries.ts';

interface Page<E> {
  readonly content: readonly E[];
  /** Where what is older begins. */
  readonly next: string | number | null;
}
type EntryOf<C extends Call> = OutputOf<C> extends Page<infer E> ? E : never;

/**
 * The newest page, the one that it was when somebody went further, and those below that, as one list: what comes anew pushes rows off the newest
 * page, which are on no older one. Undefined where more came than a page holds: rows in between would be missing.
 */
export function joinPages<E>(
  newest: Page<E>,
  begun: Page<E>,
  older: readonly Page<E>[],
  keyOf: (entry: E) => unknown,
): Page<E> | undefined {
  const fresh = new Set(newest.content.map(keyOf));
  if (!begun.content.some((entry) => fresh.has(keyOf(entry)))) return undefined;
  const pages = [newest, begun, ...older];
  const entries = new Map<unknown, E>();
  for (const entry of pages.flatMap(({ content }) => content)) if (!entries.has(keyOf(entry))) entries.set(keyOf(entry), entry);
  return { content: [...entries.values()], next: (pages.at(-1) ?? newest).next };
}

/** What is read newest first, and further down as far as somebody goes. */
export function useNewestFirst<C extends Call>(call: C, input: InputOf<C>, keyOf: (entry: EntryOf<C>) => unknown) {
  type Own = Page<EntryOf<C>>;
  const [walked, setWalked] = useState<{ readonly begun: Own; readonly befores: readonly (string | number)[] }>();
  const asked = useCall(call, input, { keep: true });
  const older = useCalls(call, (walked?.befores ?? []).map((before) => ({ ...(input as object), before })) as InputOf<C>[]);
  const newest = asked.data as Own | undefined;
  const found = older.flatMap(({ data }) => (data === undefined ? [] : [data as Own]));
  const joined = newest && walked && joinPages(newest, walked.begun, found, keyOf);
  const shown = joined ?? newest;
  const busy = joined !== undefined && found.length < older.length;
  return {
    asked,
    entries: shown?.content ?? [],
    busy,
    hasOlder: busy || (shown?.next ?? null) !== null,
    goFurther: () => {
      const next = shown?.next ?? null;
      if (!newest || next === null || busy) return;
      setWalked(joined && walked ? { begun: walked.begun, befores: [...walked.befores, next] } : { begun: newest, befores: [next] });
    },
  };
}
