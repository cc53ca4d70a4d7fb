import type { ComponentType } from 'react';
import type { TextKey } from '../ui/words.ts';
import { useT } from '../ui/words.ts';
import { PageHead } from './page-head.tsx';
import type { Page } from './route.ts';

/** The way out: a page made by hand from the hooks, with the usual head unless it draws its own. */
export function page({ title, Body, wide }: { title?: TextKey; Body: ComponentType; wide?: boolean }): Page {
  function View() {
    const t = useT();
    return (
      <div className={wide ? 'm-page m-page-fill' : 'm-page'}>
        {title ? <PageHead title={t(title)} /> : null}
        <Body />
      </div>
    );
  }
  return { View };
}
