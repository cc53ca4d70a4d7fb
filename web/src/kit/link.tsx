import type { MouseEvent, ReactNode } from 'react';
import { hrefOf } from './base.ts';
import { go } from './view.ts';

/** Follows a link inside the console; a click with a modifier is the browser's. */
export function follow(to: string) {
  return (event: Pick<MouseEvent, 'preventDefault' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'button'>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button > 0) return;
    event.preventDefault();
    go(to);
  };
}

interface LinkProps {
  to: string;
  children: ReactNode;
  className?: string;
  label?: string;
  /** Where one already is. */
  current?: boolean;
}
export const Link = ({ to, children, className, label, current }: LinkProps) => (
  <a href={hrefOf(to)} onClick={follow(to)} className={className} aria-label={label} aria-current={current ? 'page' : undefined}>
    {children}
  </a>
);

/** The attributes of a link inside the console, for an element that is drawn elsewhere. */
export const linkTo = (to: string) => ({ href: hrefOf(to), onClick: follow(to) });
