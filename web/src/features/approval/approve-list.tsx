import type { approvalCalls } from '@mooring/contract/approval/calls';
import type { TaskType } from '@mooring/contract/engines/approval/steps';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { useT } from '../../ui/words.ts';

interface Props {
  spec: ListSpec<typeof approvalCalls.page>;
  fixed: { taskType: TaskType };
}
/** A list of one kind alone. */
export function ApproveList({ spec, fixed }: Props) {
  const t = useT();
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t(spec.title)} />
      <ListView spec={spec} fixed={fixed} />
    </div>
  );
}
