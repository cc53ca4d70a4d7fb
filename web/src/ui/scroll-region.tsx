import type { ReactNode, Ref } from 'react';

interface ScrollRegionProps {
  label: string;
  className: string;
  children: ReactNode;
  onScroll?: () => void;
  frameRef?: Ref<HTMLElement>;
}

/** A part that scrolls by itself: named, and reached by the keyboard, since nothing in it may take the focus. */
export function ScrollRegion({ label, className, children, onScroll, frameRef }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard can't scroll here
    <section ref={frameRef} className={className} aria-label={label} tabIndex={0} onScroll={onScroll}>
      {children}
    </section>
  );
}
