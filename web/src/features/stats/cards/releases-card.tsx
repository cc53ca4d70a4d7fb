import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { homeCalls } from '@mooring/contract/stats/calls';
import type { RunningReleases } from '@mooring/contract/stats/schemas';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { Progress } from '../../../ui/figures.tsx';
import { Spark } from '../../../ui/spark.tsx';
import { Empty } from '../../../ui/states.tsx';
import { StatusTag } from '../../../ui/status-tag.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import type { Asked } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

const screensOf = (kind: string) => (releaseKinds.find((one) => one.kind === kind) ?? firmwareKind).screens;
const pageOf = ({ kind, taskId }: { readonly kind: string; readonly taskId: number }) => `${screensOf(kind).task}/${taskId}`;
const NEW = `${firmwareKind.screens.task}/new`;

function Release({ of }: { of: RunningReleases['list'][number] }) {
  const t = useT();
  const format = useFormat();
  return (
    <li className="m-home-release">
      <div className="m-stack-none m-home-release-name">
        <Link to={pageOf(of)} className="m-clip">
          {of.name}
        </Link>
        <span className="m-small m-muted m-clip">{[of.productName, of.version].filter(Boolean).join(' · ')}</span>
      </div>
      <StatusTag tone={taskMachine.states[of.state].tone}>{t(`life.task.${of.state}`)}</StatusTag>
      <div className="m-stack-none">
        <Progress label={of.name} share={of.total === 0 ? 0 : of.settled / of.total} tone={of.failed > 0 ? 'bad' : 'good'} />
        <span className="m-small m-muted">
          {t('home.releases.of', { settled: format.number(of.settled), total: format.number(of.total) })}
          {of.failed > 0 ? ` · ${t('home.releases.failed', { count: of.failed })}` : ''}
          {` · ${t('home.releases.rate', { count: format.number(of.perHour) })}`}
        </span>
      </div>
      <div className="m-home-release-curve">
        {of.curve.length > 1 ? (
          <Spark
            top={Math.max(1, of.total)}
            label={t('home.releases.curve', { name: of.name, good: format.number(of.succeeded), bad: format.number(of.failed) })}
            lines={[
              { tone: 'good', values: of.curve.map((one) => one.succeeded) },
              ...(of.failed > 0 ? [{ tone: 'bad' as const, values: of.curve.map((one) => one.failed) }] : []),
            ]}
          />
        ) : null}
      </div>
    </li>
  );
}

/** Releases under way with percent, rate and curve, and those of the newest that failed somewhere. */
export function ReleasesCard({ asked: { where, days } }: { asked: Asked }) {
  const t = useT();
  const asked = useCall(homeCalls.releases, { ...where, days }, { every: 15, keep: true });
  const total = asked.data?.total ?? 0;
  const all = total > 0 ? <Link to="/device/fota">{t('home.releases.all', { count: total })}</Link> : null;
  return (
    <Card title={t('home.releases')} note={all}>
      <Answered of={asked} height={140}>
        {({ list, failing }) => (
          <>
            {list.length === 0 ? (
              <Empty icon="upgrade" title={t('home.releases.none')} text={t('home.releases.none.text')}>
                <Offer call={taskCalls.add} to={NEW}>
                  {t('home.releases.new')}
                </Offer>
              </Empty>
            ) : (
              <ul className="m-home-releases">
                {list.map((one) => (
                  <Release key={one.taskId} of={one} />
                ))}
              </ul>
            )}
            {failing.length > 0 ? (
              <div className="m-panel-body m-stack-tight m-home-failing">
                <h3 className="m-small m-muted">{`${t('home.releases.failing')} · ${t(`home.days.${days}`)}`}</h3>
                <ul className="m-stack-tight">
                  {failing.map((one) => (
                    <li key={one.taskId} className="m-row m-row-wrap">
                      <Link to={pageOf(one)}>{one.name}</Link>
                      <span className="m-muted">{t('home.releases.failing.terminals', { count: one.failed })}</span>
                    </li>
                  ))}
                </ul>
              </div>
            ) : null}
          </>
        )}
      </Answered>
    </Card>
  );
}
