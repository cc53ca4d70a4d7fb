import { positionOf, releaseCourse, stages } from '@mooring/contract/engines/approval/steps';
import { Icon } from '../../ui/icon.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type LineStep, lineOf, type Record, whoDid } from './parts.ts';
import './approval.css';

interface Audit {
  readonly step: string;
  readonly stepAt: string;
  readonly result: string;
  readonly dueAt: string | null;
  readonly overdue: boolean;
}

function Place({ step, audit }: { step: LineStep; audit: Audit }) {
  const t = useT();
  const format = useFormat();
  const { place } = positionOf(step.code);
  const role = releaseCourse.roleAt[place];
  const { record, state, took } = step;
  return (
    <li className={`m-approval-step m-approval-${state}`} {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
      <span className="m-approval-mark" aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : state === 'bad' ? <Icon name="danger" /> : null}
      </span>
      <span className="m-stack-none">
        <span>{place === 'ended' || place === 'returned' ? '' : t(`approval.place.${place}`)}</span>
        {record ? (
          <span className="m-small m-muted">{t('approval.by', { name: whoDid(t, record), at: format.moment(record.at) })}</span>
        ) : null}
        {state === 'bad' && record ? <span className="m-small">{t(`event.approval.${record.event}`)}</span> : null}
        {state === 'now' && role ? <span className="m-small">{t('approval.waitsFor', { role: t(`approval.role.${role}`) })}</span> : null}
        {state === 'now' && audit.dueAt ? (
          <span className={`m-small ${audit.overdue ? 'm-approval-late' : 'm-muted'}`}>
            {t(audit.overdue ? 'approval.overdueSince' : 'approval.due', { at: format.moment(audit.dueAt) })}
          </span>
        ) : null}
        {took !== undefined && took >= MINUTE ? (
          <span className="m-small m-muted">
            {t(state === 'now' ? 'approval.waiting' : 'approval.took', { time: format.span(Math.round(took / MINUTE) * 60) })}
          </span>
        ) : null}
      </span>
    </li>
  );
}
const MINUTE = 60_000;

/** Three stages as a line: what was passed, by whom and how long it took, and who is waited for. */
export function ProcessLine({ audit, records }: { audit: Audit; records: readonly Record[] }) {
  const t = useT();
  const now = Date.now();
  return (
    <section className="m-panel m-panel-body m-approval" aria-label={t('approval.line')}>
      {stages.map((stage) => (
        <div key={stage} className="m-stack-tight">
          <h2 className="m-small m-muted">{t(`approval.stage.${stage}`)}</h2>
          <ol className="m-approval-line" aria-label={t(`approval.stage.${stage}`)}>
            {lineOf(stage, audit, records, now).map((step) => (
              <Place key={step.code} step={step} audit={audit} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}
