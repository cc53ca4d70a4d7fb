import type { Call } from '@mooring/contract/kit/call';
import type { AnyEntity } from '@mooring/contract/kit/entity';
import { useT } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { PageHead } from '../page-head.tsx';
import type { OwnTexts } from '../resource/own-texts.ts';
import { type ListCalls, listOf, type ResourceList } from '../resource/resource-list.ts';
import type { Page } from '../route.ts';
import { ListView } from './list-view.tsx';
import { PageActions } from './page-actions.tsx';
import type { ListSpec } from './types.ts';

type ListPage<C extends Call> = Page & { readonly spec: ListSpec<C> };

/** A list page from its declaration, or from its row's. */
export function listPage<E extends AnyEntity, G extends ListCalls<E>>(
  of: E,
  calls: G,
  list: ResourceList<E, G> & OwnTexts<E['texts']>,
): ListPage<G['page']>;
export function listPage<C extends Call>(spec: ListSpec<C>): ListPage<C>;
export function listPage(first: unknown, calls?: unknown, list?: unknown): ListPage<never> {
  const spec = (calls === undefined ? first : listOf(first as AnyEntity, calls as never, list as never)) as ListSpec<never>;
  return { ...bindPage(ListScreen<never>, { spec }), spec, actions: spec.actions ?? [] };
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
