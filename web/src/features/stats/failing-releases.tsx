import type { Overview } from '@mooring/contract/stats/calls';
import { Link } from '../../kit/link.tsx';
import { useT } from '../../ui/words.ts';

/** Which of the newest releases failed on terminals; each leads to its page, which has those first. */
export function FailingReleases({ list }: { list: Overview['failing'] }) {
  const t = useT();
  if (list.length === 0) return null;
  return (
    <section className="m-panel" aria-labelledby="failing">
      <div className="m-panel-head">
        <h2 id="failing">{t('welcome.failing')}</h2>
      </div>
      <ul className="m-panel-body m-stack-tight">
        {list.map((one) => (
          <li key={one.taskId} className="m-row m-row-wrap">
            <Link to={`/device/fota/taskmod/${one.taskId}`}>{one.name}</Link>
            <span className="m-muted">{t('welcome.failing.terminals', { count: one.failed })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
