import { type ComponentType, createElement } from 'react';
import type { Page } from './route.ts';

/** A component with some of its properties said. Made once, when the declaration's module loads, so its state is never lost. */
export function bind<P extends object, Q extends object>(screen: ComponentType<P & Q>, props: P): ComponentType<Q> {
  return (given: Q) => createElement(screen, { ...props, ...given });
}

/** A page from its screen and its declaration. */
export const bindPage = <P extends object>(screen: ComponentType<P>, props: P): Page => ({ View: bind(screen, props) });
