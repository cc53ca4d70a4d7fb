import { approvalCalls } from '@mooring/contract/approval/calls';
import { useEffect } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { go, idIn, useView } from '../../kit/view.ts';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import { processOf } from './process-path.ts';

interface AskedFor {
  /** Where approvals are shown: on Operations by type, on Customer all of them. */
  base: string;
  taskType: string;
}

function NotThere({ base, taskType }: AskedFor) {
  const t = useT();
  const loose = useLooseT();
  const [list, title] =
    base === '/approveList' ? [base, t('approval.list.own')] : [`${base}/${taskType}/list`, loose(`approval.list.${taskType}`, '')];
  return (
    <Empty level={1} icon="search" title={t('approval.notThere')} text={t('approval.notThereText')}>
      {title === '' ? <Link to="/">{t('shell.home')}</Link> : <Link to={list}>{title}</Link>}
    </Empty>
  );
}

/** The approval of a release, by that alone: its own address has both. */
export function OfRelease() {
  const view = useView();
  const { taskType = '' } = view.params;
  const of = { base: `/${view.path.split('/')[1]}`, taskType };
  const input = approvalCalls.page.input.safeParse({ criteria: { taskId: idIn(view, 'taskId'), taskType }, page: { size: 1 } });
  const { data, error, retry } = useCall(approvalCalls.page, input.data ?? {}, { enabled: input.success });
  const found = data?.content[0];
  const to = found && processOf(of.base)(found);
  useEffect(() => {
    if (to && view.active) go(to, { replace: true });
  }, [to, view.active]);
  if (!input.success || (data && !found)) return <NotThere {...of} />;
  return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
}
