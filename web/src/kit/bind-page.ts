import { type ComponentType, createElement } from 'react';
import type { Page } from './route.ts';

/** A page from its screen and its declaration. Made once, when the declaration's module loads, so its state is never lost. */
export function bindPage<P extends object>(Screen: ComponentType<P>, props: P): Page {
  const View = () => createElement(Screen, props);
  return { View };
}
