import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { useCall } from '../../kit/queries.ts';
import { chooseSearch, searchNow, useView } from '../../kit/view.ts';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

/** How often terminals failed for which reason. A bar filters the list below by its reason; once more shows all again. */
export function FailureBars({ calls, row, field }: { calls: TaskCalls; row: TaskDetail; field: string }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const view = useView();
  const { data = [] } = useCall(calls.reasons, { id: row.id });
  if (data.length === 0) return null;
  const most = Math.max(...data.map((one) => one.count));
  const chosen = view.search.get(field);
  const pick = (reason: string) => {
    const next = searchNow(view);
    if (chosen === reason) next.delete(field);
    else next.set(field, reason);
    chooseSearch(view, next);
  };
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="failure-bars">
      <h2 id="failure-bars">{t('firmware.task.reasons')}</h2>
      <ul className="m-bars">
        {data.map(({ reason, count }) => (
          <li key={reason}>
            <button type="button" className="m-plain m-bar" aria-pressed={chosen === reason} onClick={() => pick(reason)}>
              <span className="m-clip">{loose(`reason.${reason}`, reason)}</span>
              <span className="m-bar-track" aria-hidden="true">
                <span style={{ inlineSize: `${(100 * count) / most}%` }} />
              </span>
              <b>{format.number(count)}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
