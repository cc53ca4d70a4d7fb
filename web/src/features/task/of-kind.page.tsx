import { generalTaskCalls } from '@mooring/contract/task/calls';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { taskDetail } from '../../engines/rollout/task-detail.page.tsx';
import { taskWizard } from '../../engines/rollout/task-wizard.page.tsx';
import { bindPage } from '../../kit/bind-page.ts';
import { CallFailed, NoAccess } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import type { Page } from '../../kit/route.ts';
import { idIn, useView } from '../../kit/view.ts';
import { PageSkeleton } from '../../ui/states.tsx';

type Pages = Readonly<Record<string, Page>>;
const pagesOf = (kinds: readonly ReleaseKind[], page: (kind: ReleaseKind) => Page): Pages =>
  Object.fromEntries(kinds.map((kind) => [kind.of.kind, page(kind)]));

/** The page of a task, by the kind that it is of. */
function Found({ pages }: { pages: Pages }) {
  const view = useView();
  const { data, error, retry } = useCall(generalTaskCalls.one, { id: idIn(view) });
  if (!data) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  const page = pages[data.kind];
  return page ? <page.View /> : <NoAccess />;
}

/** The wizard of the kind that the address names. */
function Named({ pages }: { pages: Pages }) {
  const page = pages[useView().params.kind ?? ''];
  return page ? <page.View /> : <NoAccess />;
}

export const generalDetail = (kinds: readonly ReleaseKind[]): Page => bindPage(Found, { pages: pagesOf(kinds, taskDetail) });
export const generalEdit = (kinds: readonly ReleaseKind[]): Page => bindPage(Found, { pages: pagesOf(kinds, taskWizard) });
export const generalWizard = (kinds: readonly ReleaseKind[]): Page => bindPage(Named, { pages: pagesOf(kinds, taskWizard) });
