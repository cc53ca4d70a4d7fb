import { useEffect, useEffectEvent, useState } from 'react';
import { textOf } from './form/schema.ts';

const TYPING_MS = 400;

/** A value once nobody has changed it for a moment, and whether that is what it says now. */
export function useSettled<V>(value: V): { readonly value: V; readonly isNow: boolean } {
  const text = textOf(value);
  const [settled, setSettled] = useState({ text, value });
  const settle = useEffectEvent(() => setSettled({ text, value }));
  useEffect(() => {
    if (text === settled.text) return undefined;
    const timer = setTimeout(() => settle(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, settled.text]);
  return { value: settled.value, isNow: text === settled.text };
}
