import { softAppKind } from '@mooring/contract/app/app-kind';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useId } from 'react';
import { countsOf } from '../../engines/rollout/task-progress.tsx';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link, linkTo } from '../../kit/link.tsx';
import { useRowActs } from '../../kit/list/row-acts.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { terminalsPath } from '../../kit/terminals-path.ts';
import { Button } from '../../ui/button.tsx';
import { Stat } from '../../ui/figures.tsx';
import { Bone, Loading, Note } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

const endTrial: RowAction<Version> = rowAction(appVersionCalls.endTrial, {
  label: 'appRelease.trial.end',
  successText: 'appRelease.trial.ended',
  danger: true,
  confirm: { text: 'appRelease.trial.end.about', keep: 'appRelease.trial.end.keep' },
});

/** Where a version stands, how its releases fared, and, once it was delisted, the way to take it off. */
export function OnTerminals({ row }: { row: Version }) {
  const t = useT();
  const format = useFormat();
  const session = useSession();
  const acts = useRowActs<Version>(nameOf);
  const asked = useCall(appVersionCalls.onTerminals, { id: row.id }, { every: 30 });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={120} />
      </Loading>
    );
  const { installed, others, tally, reasons, trial, subscribers } = asked.data;
  const removing = `${newTaskScreen(softAppKind)}?${new URLSearchParams({ uninstall: row.packageName, name: row.appName, version: String(row.versionCode) })}`;
  // Edited, or handed in again, it is still on terminals that nothing newer goes to.
  const isOut = row.listedAt !== null && row.reviewState !== '2';
  const mayRemove = mayCall(softAppTaskCalls.add, session);
  return (
    <div className="m-stack">
      {isOut && installed > 0 ? (
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
      {subscribers ? <h2 className="m-h2">{t('appVersion.terminals.yours')}</h2> : null}
      <div className="m-stats">
        <Stat label={t('appVersion.terminals.installed')} value={format.number(installed)} />
        <Stat
          label={t('appVersion.terminals.others')}
          value={format.number(others)}
          {...(installed + others > 0 ? linkTo(terminalsPath(session.platform, { app: row.packageName })) : {})}
        />
        {subscribers || mayCall(softAppTaskCalls.page, session) || mayCall(appVersionCalls.trial, session) ? <Fared tally={tally} /> : null}
      </div>
      <Reasons of={reasons} />
      {subscribers ? <AtSubscribers {...subscribers} /> : null}
    </div>
  );
}

type Known = OutputOf<typeof appVersionCalls.onTerminals>;

function Fared({ tally }: Pick<Known, 'tally'>) {
  const t = useT();
  const format = useFormat();
  const { good, bad, open, waiting } = countsOf(tally);
  return (
    <>
      <Stat label={t('appVersion.terminals.waiting')} value={format.number(open + waiting)} />
      <Stat label={t('appVersion.terminals.succeeded')} value={format.number(good)} />
      <Stat label={t('appVersion.terminals.failed')} value={format.number(bad)} />
    </>
  );
}

function Reasons({ of }: { of: Known['reasons'] }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const id = useId();
  if (of.length === 0) return null;
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby={id}>
      <h3 id={id}>{t('firmware.task.reasons')}</h3>
      <dl className="m-facts">
        {of.map(({ reason, count }) => (
          <div key={reason}>
            <dt>{loose(`reason.${reason}`, reason)}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Of an app that one brought: how it fares with others, in figures alone. */
function AtSubscribers({ tally, reasons }: NonNullable<Known['subscribers']>) {
  const t = useT();
  const any = Object.keys(tally).length > 0;
  return (
    <section className="m-stack">
      <div className="m-stack-tight">
        <h2 className="m-h2">{t('appVersion.terminals.subscribers')}</h2>
        <p className="m-muted">{t(any ? 'appVersion.terminals.subscribers.about' : 'appVersion.terminals.subscribers.none')}</p>
      </div>
      {any ? (
        <div className="m-stats">
          <Fared tally={tally} />
        </div>
      ) : null}
      <Reasons of={reasons} />
    </section>
  );
}
