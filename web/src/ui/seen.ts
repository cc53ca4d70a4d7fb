import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** So far away it is begun, to stand there when it comes into sight. */
const NEAR = '240px';

/** Whether an element has come into sight yet, or is printed (once the code that draws it is there): what costs much to draw waits for that. */
export function useSeen<E extends Element>() {
  const frame = useRef<E>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (seen || !element) return;
    const see = () => setSeen(true);
    const watch = new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && see(), {
      rootMargin: NEAR,
      // A page scrolls in its slot.
      scrollMargin: NEAR,
    });
    watch.observe(element);
    // The picture for the printer is taken right after this.
    const print = () => flushSync(see);
    addEventListener('beforeprint', print);
    return () => {
      watch.disconnect();
      removeEventListener('beforeprint', print);
    };
  }, [seen]);
  return [frame, seen] as const;
}
