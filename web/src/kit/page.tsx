import type { ComponentType } from 'react';
import type { TextKey } from '../ui/words.ts';
import { useT } from '../ui/words.ts';
import { bindPage } from './bind-page.ts';
import { PageHead } from './page-head.tsx';
import type { Page } from './route.ts';

interface PageSpec {
  readonly title?: TextKey;
  readonly Body: ComponentType;
  /** Takes the whole height: what is inside scrolls. */
  readonly wide?: boolean;
}

/** The way out: a page made by hand from the hooks, with the usual head unless it draws its own. */
export const page = (spec: PageSpec): Page => bindPage(Plain, spec);

function Plain({ title, Body, wide }: PageSpec) {
  const t = useT();
  return (
    <div className={wide ? 'm-page m-page-fill' : 'm-page'}>
      {title ? <PageHead title={t(title)} /> : null}
      <Body />
    </div>
  );
}
