import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { useEffect } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { bindPage } from '../../kit/bind-page.ts';
import { NoAccess } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import type { Page } from '../../kit/route.ts';
import { go, useView } from '../../kit/view.ts';
import { PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useKindsWith } from './kinds.ts';

/** What is to be released: a kind that the person may release; where there is one alone, straight on. */
function Choose({ kinds }: { kinds: readonly ReleaseKind[] }) {
  const t = useT();
  const { active } = useView();
  const offered = useKindsWith(kinds, 'add');
  const only = offered.length === 1 && offered[0] ? newTaskScreen(offered[0].of) : undefined;
  useEffect(() => {
    if (only && active) go(only, { replace: true });
  }, [only, active]);
  if (only) return <PageSkeleton />;
  if (offered.length === 0) return <NoAccess />;
  return (
    <div className="m-page m-page-form">
      <PageHead title={t('firmware.task.add')} />
      <section className="m-panel m-panel-body m-stack">
        <h2>{t('task.choose')}</h2>
        <ul className="m-plain-list m-stack">
          {offered.map(({ of, title, emptyText }) => (
            <li key={of.kind}>
              <Link to={newTaskScreen(of)}>{t(title)}</Link>
              <p className="m-muted">{t(emptyText)}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

export const createPage = (kinds: readonly ReleaseKind[]): Page => bindPage(Choose, { kinds });
