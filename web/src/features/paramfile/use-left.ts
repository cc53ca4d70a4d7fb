import { useState } from 'react';

/** A click that takes the focus away ends first: what an error moves down isn't under the pointer any more. */
const CLICK_MS = 300;

/** Which parts somebody has left: what is wrong with them is said. */
export function useLeft() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  return { left, leave: (part: string) => void setTimeout(() => setLeft((now) => new Set(now).add(part)), CLICK_MS) };
}
