import { useEffect, useRef, useState } from 'react';

/** What a form holds while its source goes on: the value that it was filled from, whether there is a later one, and the step to that. */
export interface Held<T> {
  readonly value: T;
  readonly overtaken: boolean;
  readonly release: () => void;
}

/** Keeps the first of what is loaded again and again; `versionOf` tells one from the next. */
export function useHeld<T>(found: T, versionOf: (value: T) => string): Held<T> {
  const [value, setValue] = useState(found);
  const overtaken = versionOf(found) !== versionOf(value);
  return { value, overtaken, release: () => setValue(found) };
}

/** Goes on to the later value by itself where nothing is typed, or what was typed is saved; the answer tells that it was saved. */
export function useRelease({ overtaken, release }: Pick<Held<unknown>, 'overtaken' | 'release'>, dirty: boolean): () => void {
  const saved = useRef(false);
  useEffect(() => {
    if (overtaken && (!dirty || saved.current)) release();
  });
  return () => {
    saved.current = true;
  };
}
