import type { approvalCalls } from '@mooring/contract/approval/calls';
import type { ReleaseType } from '@mooring/contract/engines/approval/steps';
import { Link } from '../../kit/link.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { useT } from '../../ui/words.ts';

interface Props {
  spec: ListSpec<typeof approvalCalls.page>;
  fixed?: { taskType: ReleaseType };
}
/** A list of one kind alone, or of all, and the way to who decides meanwhile. */
export function ApproveList({ spec, fixed }: Props) {
  const t = useT();
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t(spec.title)}>
        <Link to="/absence">{t('absence.title')}</Link>
      </PageHead>
      <ListView spec={spec} fixed={fixed} />
    </div>
  );
}
