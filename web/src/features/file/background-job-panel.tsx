import type { Work } from '@mooring/contract/file/background-job-calls';
import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { Failures } from '../../kit/list/bulk-result.tsx';
import { StateTag } from '../../kit/state-tag.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { BackgroundJobProgress } from './work-progress.tsx';

/** A job beside the list: how far it came, and the rows that it failed for, which its own dialog shows no more once it is closed. */
export function BackgroundJobPanel({ row, onClose }: { row: Work; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const moment = (at: Work['endedAt']) => (at === null ? undefined : format.moment(String(at)));
  const facts = [
    [t('work.state'), <StateTag key="state" machine={backgroundJobMachine} code={row.state} />],
    [t(row.reason ? 'work.reason' : 'work.progress'), <BackgroundJobProgress key="progress" row={row} />],
    [t('work.createdAt'), moment(row.createdAt)],
    [t('work.endedAt'), moment(row.endedAt)],
    [t('work.expiresAt'), moment(row.expiresAt)],
  ] as const;
  return (
    <Drawer open title={row.name} onClose={onClose} width={560}>
      <div className="m-stack">
        <FactList facts={facts} />
        {row.failed > 0 ? (
          <section className="m-stack-tight">
            <h3>{t('work.failed')}</h3>
            {row.failed > row.failures.length ? (
              <p className="m-muted">{t('work.failed.some', { shown: row.failures.length, total: row.failed })}</p>
            ) : null}
            <Failures rows={row.failures} />
          </section>
        ) : null}
      </div>
    </Drawer>
  );
}
