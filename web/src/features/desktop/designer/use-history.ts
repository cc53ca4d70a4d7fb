import type { Layout } from '@mooring/contract/desktop/layout';
import { useState } from 'react';

const KEPT = 100;

/** Steps of a layout, back and forth again; each step is told to `onStep` too. */
export function useHistory(value: Layout, onChange: (layout: Layout) => void, onStep: (layout: Layout) => void) {
  const [past, setPast] = useState<readonly Layout[]>([]);
  const [future, setFuture] = useState<readonly Layout[]>([]);
  const last = past.at(-1);
  const [next] = future;
  return {
    put(layout: Layout) {
      setPast([...past, value].slice(-KEPT));
      setFuture([]);
      onChange(layout);
    },
    undo:
      last &&
      (() => {
        setPast(past.slice(0, -1));
        setFuture([value, ...future]);
        onChange(last);
        onStep(last);
      }),
    redo:
      next &&
      (() => {
        setPast([...past, value]);
        setFuture(future.slice(1));
        onChange(next);
        onStep(next);
      }),
  };
}
