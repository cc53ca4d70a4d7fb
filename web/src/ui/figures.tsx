import type { Tone } from '@mooring/contract/kit/state-machine';
import type { MouseEvent, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Bone } from './states.tsx';
import { ToneMark } from './status-tag.tsx';
import { useFormat } from './words.ts';

/** A figure with its name; a link where it leads somewhere. */
export function Stat({
  label,
  value,
  tone,
  note,
  href,
  onClick,
  loading,
}: {
  label: string;
  value: string;
  tone?: Tone;
  note?: ReactNode;
  href?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  loading?: boolean;
}) {
  const inside = (
    <>
      <span className="m-stat-label">
        {tone ? <ToneMark tone={tone} /> : null}
        {label}
      </span>
      <span className="m-stat-value">{loading ? <Bone width={72} height={26} /> : value}</span>
      {note ? <span className="m-small m-muted">{note}</span> : null}
    </>
  );
  return href ? (
    <a className="m-stat m-stat-link" href={href} onClick={onClick}>
      {inside}
    </a>
  ) : (
    <div className="m-stat">{inside}</div>
  );
}

/** `share` from 0 to 1; none: under way, no telling how far. */
export function Progress({
  share,
  label,
  tone = 'primary',
  note,
}: {
  share: number | undefined;
  label: string;
  tone?: 'primary' | 'good' | 'bad' | 'wait' | 'ended';
  note?: ReactNode;
}) {
  const format = useFormat();
  const whole = share === undefined ? undefined : Math.max(0, Math.min(1, share));
  return (
    <div className="m-progress">
      <div
        className={`m-progress-track m-fill-${tone}${whole === undefined ? ' m-progress-open' : ''}`}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(whole === undefined ? {} : { 'aria-valuenow': Math.round(whole * 100) })}
      >
        <span {...(whole === undefined ? {} : { style: { scale: `${whole} 1` } })} />
      </div>
      <span className="m-small m-muted m-progress-note">{note ?? (whole === undefined ? null : format.percent(whole))}</span>
    </div>
  );
}

export interface Share {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  readonly tone: Tone;
}

interface ShareBarProps {
  shares: readonly Share[];
  label: string;
  /** In a table's row: the numbers beside the bar, the words for those who ask. */
  tight?: boolean;
  /** The numbers stand beside it already. */
  bare?: boolean;
}

/** Parts of a whole in one bar, each with mark, word and number. */
export function ShareBar({ shares, label, tight = false, bare = false }: ShareBarProps) {
  const format = useFormat();
  const total = shares.reduce((sum, share) => sum + share.value, 0);
  return (
    <figure className={tight ? 'm-shares m-shares-tight' : 'm-shares'}>
      <div className="m-shares-bar" aria-hidden="true">
        {shares.map((share) =>
          share.value > 0 ? (
            <span key={share.key} className={`m-share-${share.tone}`} style={{ flexGrow: share.value / Math.max(1, total) }} />
          ) : null,
        )}
      </div>
      <figcaption className="m-hidden">{label}</figcaption>
      {bare ? null : (
        <ul className="m-row m-row-wrap m-shares-legend">
          {shares.map((share) => (
            <li key={share.key} className="m-row" {...(tight ? { title: share.label } : {})}>
              <ToneMark tone={share.tone} />
              <span className={tight ? 'm-hidden' : 'm-muted'}>{share.label}</span>
              <b>{format.number(share.value)}</b>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

export interface TimelineEntry {
  readonly key: string | number;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone: Tone;
}

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const format = useFormat();
  return (
    <ol className="m-timeline">
      {entries.map((entry) => (
        <li key={entry.key}>
          <span className="m-timeline-mark">
            <ToneMark tone={entry.tone} />
          </span>
          <div className="m-grow">
            <div className="m-timeline-title">{entry.title}</div>
            {entry.text ? <div className="m-muted">{entry.text}</div> : null}
          </div>
          <time className="m-small m-muted" dateTime={entry.at} title={format.ago(entry.at)}>
            {format.moment(entry.at, 'second')}
          </time>
        </li>
      ))}
    </ol>
  );
}

export interface Step {
  readonly key: string;
  readonly label: string;
  readonly state: 'done' | 'now' | 'later' | 'bad';
}

export function Steps({ steps, label, onPick }: { steps: readonly Step[]; label: string; onPick?: (key: string) => void }) {
  return (
    <ol className="m-steps" aria-label={label}>
      {steps.map((step, at) => (
        <li key={step.key} className={`m-step m-step-${step.state}`} {...(step.state === 'now' ? { 'aria-current': 'step' as const } : {})}>
          <span className="m-step-mark">
            {step.state === 'done' ? <Icon name="check" /> : step.state === 'bad' ? <Icon name="danger" /> : at + 1}
          </span>
          {onPick && step.state !== 'later' && step.state !== 'now' ? (
            <button type="button" className="m-plain m-step-link" onClick={() => onPick(step.key)}>
              {step.label}
            </button>
          ) : (
            <span>{step.label}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
