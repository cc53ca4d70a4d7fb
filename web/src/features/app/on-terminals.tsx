import { softAppKind } from '@mooring/contract/app/app-kind';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { countsOf } from '../../engines/rollout/task-progress.tsx';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link, linkTo } from '../../kit/link.tsx';
import { useRowActs } from '../../kit/list/row-acts.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { terminalsPath } from '../../kit/terminals-path.ts';
import { Button } from '../../ui/button.tsx';
import { Stat } from '../../ui/figures.tsx';
import { Bone, Loading, Note } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

const endTrial = rowAction<Version, typeof appVersionCalls.endTrial>(appVersionCalls.endTrial, {
  label: 'appRelease.trial.end',
  successText: 'appRelease.trial.ended',
  danger: true,
  confirm: { text: 'appRelease.trial.end.about', keep: 'appRelease.trial.end.keep' },
});

/** Where a version stands, how its releases fared, and, once it was delisted, the way to take it off. */
export function OnTerminals({ row }: { row: Version }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const session = useSession();
  const acts = useRowActs<Version>(nameOf);
  const asked = useCall(appVersionCalls.onTerminals, { id: row.id }, { every: 10 });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={120} />
      </Loading>
    );
  const { installed, others, tally, reasons, trial } = asked.data;
  const { good, bad, open, waiting } = countsOf(tally);
  const removing = `${newTaskScreen(softAppKind)}?${new URLSearchParams({ uninstall: row.packageName, name: row.appName, version: String(row.versionCode) })}`;
  const mayRemove = mayCall(softAppTaskCalls.add, session);
  return (
    <div className="m-stack">
      {row.reviewState === '4' && installed > 0 ? (
        <Note tone="warn" action={mayRemove ? <Link to={removing}>{t('appVersion.terminals.uninstall')}</Link> : undefined}>
          {t('appVersion.terminals.still', { count: installed })}
        </Note>
      ) : null}
      {trial.open + trial.installed > 0 ? (
        <div>
          <Button onClick={() => acts.start(endTrial, row)}>{t('appRelease.trial.end')}</Button>
        </div>
      ) : null}
      {acts.dialog}
      <div className="m-stats">
        <Stat label={t('appVersion.terminals.installed')} value={format.number(installed)} />
        <Stat
          label={t('appVersion.terminals.others')}
          value={format.number(others)}
          {...(installed + others > 0 ? linkTo(terminalsPath(session.platform, { app: row.packageName })) : {})}
        />
        {mayCall(softAppTaskCalls.page, session) || mayCall(appVersionCalls.trial, session) ? (
          <>
            <Stat label={t('appVersion.terminals.waiting')} value={format.number(open + waiting)} />
            <Stat label={t('appVersion.terminals.succeeded')} value={format.number(good)} />
            <Stat label={t('appVersion.terminals.failed')} value={format.number(bad)} />
          </>
        ) : null}
      </div>
      {reasons.length > 0 ? (
        <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="app-failures">
          <h2 id="app-failures">{t('firmware.task.reasons')}</h2>
          <dl className="m-facts">
            {reasons.map(({ reason, count }) => (
              <div key={reason}>
                <dt>{loose(`reason.${reason}`, reason)}</dt>
                <dd>{format.number(count)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </div>
  );
}
