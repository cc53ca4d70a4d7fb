import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { type ReactNode, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { page } from '../../kit/page.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { AddAbsence } from './add-absence.tsx';

type One = OutputOf<typeof absenceCalls.status>['absences'][number];
const tones = { planned: 'idle', active: 'busy' } as const;

function Part({ title, acts, children }: { title: TextKey; acts?: ReactNode; children: ReactNode }) {
  const t = useT();
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t(title)}>
      <div className="m-row m-row-wrap">
        <h2 className="m-grow">{t(title)}</h2>
        {acts}
      </div>
      {children}
    </section>
  );
}

function Line({ of, name, children }: { of: One; name: string; children?: ReactNode }) {
  const t = useT();
  const format = useFormat();
  return (
    <li className="m-account-line">
      <div className="m-grow m-stack-tight">
        <span className="m-row m-row-wrap">
          <strong>{name}</strong>
          <StatusTag tone={tones[of.state]}>{t(`absence.state.${of.state}`)}</StatusTag>
        </span>
        <span className="m-muted">{t('absence.times', { from: format.moment(of.fromAt), until: format.moment(of.untilAt) })}</span>
        {of.works || children === undefined ? null : <Note tone="warn">{t('absence.notWorking')}</Note>}
      </div>
      {children}
    </li>
  );
}

function Absence() {
  const t = useT();
  const { data, error, retry } = useCall(absenceCalls.status, {});
  const [adding, setAdding] = useState(false);
  const [ending, setEnding] = useState<One>();
  const end = useAct(absenceCalls.end, { done: () => setEnding(undefined), successText: { key: 'absence.ended', params: {} } });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <PageSkeleton />;
  return (
    <div className="m-stack m-account">
      <p className="m-muted">{t('absence.about')}</p>
      {data.approves ? null : <Note>{t('absence.noRole')}</Note>}
      <Part
        title="absence.own"
        acts={
          data.approves ? (
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('absence.add')}
            </Button>
          ) : null
        }
      >
        {data.absences.length === 0 ? <p className="m-muted">{t('absence.none')}</p> : null}
        <ul className="m-plain-list">
          {data.absences.map((one) => (
            <Line key={one.id} of={one} name={t('absence.delegateIs', { name: one.name })}>
              <Button small of={one.name} onClick={() => setEnding(one)}>
                {t('absence.end')}
              </Button>
            </Line>
          ))}
        </ul>
      </Part>
      {data.standsInFor.length > 0 ? (
        <Part title="absence.standsInFor">
          <ul className="m-plain-list">
            {data.standsInFor.map((one) => (
              <Line key={one.id} of={one} name={one.name} />
            ))}
          </ul>
        </Part>
      ) : null}
      {adding ? <AddAbsence onClose={() => setAdding(false)} /> : null}
      <Confirm
        open={ending !== undefined}
        title={t('absence.end')}
        confirm={t('absence.end')}
        busy={end.busy}
        onConfirm={() => ending && end.run({ id: ending.id })}
        onClose={() => setEnding(undefined)}
      >
        {t('absence.end.about', { name: ending?.name ?? '' })}
      </Confirm>
    </div>
  );
}

/** One's own absences from approvals, and for whom one decides. */
export const absencePage = page({ title: 'absence.title', Body: Absence });
