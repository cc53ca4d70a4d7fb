import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../../ui/words.ts';
import type { Asked } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';
import { Difference } from './difference.tsx';

/** Why updates failed in the period, the most frequent reason first. */
export function FailuresCard({ asked: { where, days } }: { asked: Asked }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const asked = useCall(homeCalls.failures, { ...where, days }, { every: 30, keep: true });
  const nameOf = (reason: string) => (reason === 'other' ? t('home.failures.other') : loose(`reason.${reason}`, reason));
  return (
    <Card title={t('home.failures')} note={<span className="m-muted">{t(`home.days.${days}`)}</span>}>
      <Answered of={asked} height={140}>
        {({ total, before, succeeded, reasons }) =>
          total === 0 ? (
            <Empty icon="done" title={t('home.failures.none')} text={t('home.failures.none.text', { count: succeeded })}>
              <Offer call={taskCalls.page} to="/device/fota">
                {t('home.releases.open')}
              </Offer>
            </Empty>
          ) : (
            <div className="m-panel-body m-stack-tight">
              <p>{t('home.failures.of', { failed: format.number(total), all: format.number(total + succeeded) })}</p>
              <p className="m-small m-muted">
                <Difference now={total} before={before} />
              </p>
              <ul className="m-bars">
                {reasons.map(({ reason, count }) => (
                  <li key={reason} className="m-bar m-bar-short">
                    <span className="m-clip">{nameOf(reason)}</span>
                    <span className="m-bar-track" aria-hidden="true">
                      <span style={{ inlineSize: `${(100 * count) / (reasons[0]?.count ?? count)}%` }} />
                    </span>
                    <b>{format.number(count)}</b>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </Answered>
    </Card>
  );
}
