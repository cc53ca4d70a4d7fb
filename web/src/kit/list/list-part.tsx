import type { Call } from '@mooring/contract/kit/call';
import { ListView } from './list-view.tsx';
import { PageActions } from './page-actions.tsx';
import type { ListSpec } from './types.ts';
import type { ListOptions } from './use-list.ts';

/** A list inside a page, with its own acts above it. */
export function ListPart<C extends Call>({ spec, ...options }: { spec: ListSpec<C> } & ListOptions) {
  return (
    <div className="m-stack m-fill">
      <div className="m-row m-row-wrap m-acts-end">
        <PageActions actions={spec.actions ?? []} />
      </div>
      <ListView spec={spec} {...options} />
    </div>
  );
}
