import { useEffect, useRef, useState } from 'react';
import { textOf } from './schema.ts';
import type { Values } from './types.ts';
import type { Form } from './use-form.ts';

/** What a form holds while its source goes on: the value that it was filled from, whether there is a later one, and the step to that. */
export interface Held<T> {
  readonly value: T;
  readonly found: T;
  /** Of the form: each is another one. */
  readonly turn: number;
  readonly overtaken: boolean;
  readonly release: (sameForm?: boolean) => void;
}

/** Keeps the first of what is loaded again and again; `versionOf` tells one from the next. */
export function useHeld<T>(found: T, versionOf: (value: T) => string): Held<T> {
  const [{ value, turn }, setHeld] = useState({ value: found, turn: 0 });
  const overtaken = versionOf(found) !== versionOf(value);
  const release = (sameForm = false) => setHeld((now) => ({ value: found, turn: now.turn + (sameForm ? 0 : 1) }));
  return { value, found, turn, overtaken, release };
}

/**
 * Goes on to the later value by itself where nothing is typed, or what was typed is saved; the answer tells what was saved. What was typed
 * while that was on its way stays, in the same form.
 */
export function useRelease<T>(
  { found, overtaken, release }: Pick<Held<T>, 'found' | 'overtaken' | 'release'>,
  form: Pick<Form, 'values' | 'dirty' | 'rebase'>,
  valuesOf: (found: T) => Values,
): (saved: Values) => void {
  const saved = useRef<Values>(undefined);
  useEffect(() => {
    if (!overtaken) return;
    const sent = saved.current;
    if (sent === undefined) {
      if (!form.dirty) release();
      return;
    }
    saved.current = undefined;
    const isSame = textOf(form.values) === textOf(sent);
    if (!isSame) form.rebase(valuesOf(found), sent);
    release(!isSame);
  });
  return (values) => {
    saved.current = values;
  };
}
