import type { Machine } from '@mooring/contract/kit/state-machine';
import type { ReactNode } from 'react';
import { CopyText } from '../../ui/copy-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { type Format, useFormat, useLooseT, useT } from '../../ui/words.ts';
import { Link } from '../link.tsx';
import { StateTag } from '../state-tag.tsx';
import type { CellKind } from './types.ts';

const written: Partial<Record<CellKind, (value: never, format: Format) => string>> = {
  number: (value: number, format) => format.number(value, 2),
  size: (value: number, format) => format.size(value),
  duration: (value: number, format) => format.duration(value),
  percent: (value: number, format) => format.percent(value / 100, 1),
  moment: (value: string, format) => format.moment(value),
  date: (value: string, format) => format.moment(value, 'date'),
};
/** Figures stand at the end of their cell. */
export const isFigure = (kind: CellKind | undefined): boolean =>
  kind === 'number' || kind === 'size' || kind === 'duration' || kind === 'percent';

/** From here on hours are counted in days: nobody reads 216h. */
const DAY = 86_400;

export interface ValueProps {
  value: unknown;
  kind?: CellKind | undefined;
  machine?: Machine | undefined;
  names?: string | undefined;
  to?: string | undefined;
}

/** A value as its kind is written; a dash where there is none. */
export function Value({ value, kind = 'text', machine, names, to }: ValueProps): ReactNode {
  const format = useFormat();
  const loose = useLooseT();
  const t = useT();
  // Nothing weighs nothing: what has no size yet is a draft.
  const missing =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (kind === 'size' && value === 0);
  if (missing)
    return (
      <span className="m-faint">
        <span aria-hidden="true">–</span>
        <span className="m-hidden">{t('kit.none')}</span>
      </span>
    );
  const linked = (inside: ReactNode) => (to ? <Link to={to}>{inside}</Link> : inside);
  if (kind === 'state' && machine) return <StateTag machine={machine} code={String(value)} />;
  if (kind === 'code')
    return to ? (
      <span className="m-copy">
        <Link to={to} className="m-mono m-clip">
          {String(value)}
        </Link>
      </span>
    ) : (
      <CopyText text={String(value)} />
    );
  if (kind === 'yes') return value ? <Icon name="check" label={t('kit.yes')} /> : <span className="m-faint">{t('kit.no')}</span>;
  if (kind === 'ago')
    return (
      <time dateTime={String(value)} title={format.moment(String(value), 'second')}>
        {format.ago(String(value))}
      </time>
    );
  if (kind === 'since') {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(String(value))) / 1000));
    return (
      <time dateTime={String(value)} title={format.moment(String(value), 'second')}>
        {seconds < DAY ? format.duration(seconds) : format.span(seconds)}
      </time>
    );
  }
  if (kind === 'tags')
    return (
      <span className="m-row m-tags">
        {(value as unknown[]).map((one) => (
          <Tag key={String(one)}>{names ? loose(names + String(one), String(one)) : String(one)}</Tag>
        ))}
      </span>
    );
  if (kind === 'name') return linked(loose((names ?? '') + String(value), String(value)));
  const write = written[kind];
  return linked(write ? write(value as never, format) : <bdi>{String(value)}</bdi>);
}
