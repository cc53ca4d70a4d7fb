import type { Call } from '@mooring/contract/kit/call';
import { useT } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { PageHead } from '../page-head.tsx';
import type { Page } from '../route.ts';
import { ListView } from './list-view.tsx';
import { PageActions } from './page-actions.tsx';
import type { ListSpec } from './types.ts';

/** A list page from its declaration. */
export function listPage<C extends Call>(spec: ListSpec<C>): Page & { readonly spec: ListSpec<C> } {
  return { ...bindPage(ListScreen<C>, { spec }), spec, actions: spec.actions ?? [] };
}

function ListScreen<C extends Call>({ spec }: { spec: ListSpec<C> }) {
  const t = useT();
  const Above = spec.slots?.above;
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t(spec.title)}>
        <PageActions actions={spec.actions ?? []} addressed />
      </PageHead>
      {Above ? <Above /> : null}
      <ListView spec={spec} />
    </div>
  );
}
