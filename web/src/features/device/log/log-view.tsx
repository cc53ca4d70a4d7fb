import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { type ReactNode, useRef } from 'react';
import { useTerminals } from '../../../kit/choices.ts';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { Link } from '../../../kit/link.tsx';
import { ExportMenu } from '../../../kit/list/export-button.tsx';
import { FilterBar, SearchBox } from '../../../kit/list/filter-bar.tsx';
import type { Criteria } from '../../../kit/list/list-url.ts';
import type { Filter } from '../../../kit/list/types.ts';
import { mayCall } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Empty, TableSkeleton } from '../../../ui/states.tsx';
import { StatusTag } from '../../../ui/status-tag.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Line, type Lines, useLines, useLogFilters } from './use-lines.ts';
import './log.css';

type Call = typeof deviceLogCalls.page;
const filters: readonly Filter<Call>[] = [
  { field: 'deviceId', label: 'deviceLog.sn', useChoices: useTerminals },
  { field: 'level', label: 'deviceLog.level', names: 'deviceLog.level.' },
  { field: 'at', label: 'deviceLog.at', kind: 'minutes' },
  { field: 'tag', label: 'deviceLog.tag', kind: 'text' },
];
const tones: Readonly<Record<Line['level'], Tone>> = { debug: 'idle', info: 'busy', warn: 'wait', error: 'bad' };

function Row({ line, named }: { line: Line; named: boolean }) {
  const t = useT();
  const format = useFormat();
  return (
    <li className={line.leftOut > 0 ? 'm-log-line m-log-left' : 'm-log-line'}>
      <time className="m-muted" dateTime={line.at} title={`${t('deviceLog.receivedAt')}: ${format.moment(line.receivedAt, 'second')}`}>
        {format.moment(line.at, 'second')}
      </time>
      <span className="m-log-level">
        <StatusTag tone={tones[line.level]}>{t(`deviceLog.level.${line.level}`)}</StatusTag>
      </span>
      {named ? (
        mayCall(deviceCalls.detail) ? (
          <Link to={`/device/deviceDetail/${line.deviceId}?tab=log`}>
            <span className="m-mono">{line.sn}</span>
          </Link>
        ) : (
          <span className="m-mono">{line.sn}</span>
        )
      ) : null}
      {line.leftOut > 0 ? (
        <strong>{t('deviceLog.leftOut.line', { count: line.leftOut })}</strong>
      ) : (
        <span className="m-log-text" dir="auto">
          {line.tag ? <span className="m-log-tag">{line.tag}</span> : null}
          {line.text}
        </span>
      )}
    </li>
  );
}

/** Close enough to an end of the scrolled part. */
const NEAR = 24;
const AHEAD = 600;

function Body({
  of,
  named,
  filtered,
  ofDay,
  onClear,
  children,
}: {
  of: Lines;
  named: boolean;
  filtered: boolean;
  ofDay: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  const t = useT();
  const frame = useRef<HTMLElement>(null);
  /** Held by scrolling away: going back up lets it go on. */
  const wasScrolled = useRef(false);
  const { asked, lines, next } = of;
  if (asked.error && lines.length === 0) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data && lines.length === 0) return <TableSkeleton rows={12} columns={4} />;
  if (lines.length === 0 && filtered)
    return (
      <Empty icon="search" title={t('kit.list.noMatch')} text={t(ofDay ? 'deviceLog.end.day' : 'kit.list.noMatchText')}>
        <Button onClick={onClear}>{t('kit.filter.clear')}</Button>
      </Empty>
    );
  if (lines.length === 0)
    return (
      <Empty
        icon="terminalLog"
        title={t('deviceLog.empty')}
        text={ofDay ? `${t('deviceLog.emptyText')} ${t('deviceLog.end.day')}` : t('deviceLog.emptyText')}
      >
        {children}
      </Empty>
    );
  const onScroll = () => {
    const at = frame.current;
    if (!at) return;
    if (at.scrollTop > NEAR && !of.isHeld) {
      wasScrolled.current = true;
      of.hold();
    } else if (at.scrollTop <= NEAR && wasScrolled.current) {
      wasScrolled.current = false;
      of.release();
    }
    if (at.scrollHeight - at.scrollTop - at.clientHeight < AHEAD) of.goFurther();
  };
  return (
    <ScrollRegion className="m-log-frame" label={t('deviceLog.lines')} onScroll={onScroll} frameRef={frame}>
      <ol className="m-log" data-dim={asked.outdated ? '' : undefined}>
        {lines.map((line) => (
          <Row key={line.id} line={line} named={named} />
        ))}
      </ol>
      <p className="m-log-end m-small m-muted">
        {next === null ? (
          t(ofDay ? 'deviceLog.end.day' : 'deviceLog.end')
        ) : (
          <Button small busy={of.busy} onClick={of.goFurther}>
            {t('deviceLog.older')}
          </Button>
        )}
      </p>
    </ScrollRegion>
  );
}

/** A log as it is written, newest first. It holds still while somebody reads further down, or doesn't follow it. */
export function LogView({ fixed, prefix = '', children }: { fixed?: Criteria; prefix?: string; children?: ReactNode }) {
  const t = useT();
  const filtering = useLogFilters(fixed, prefix);
  const of = useLines(filtering.criteria);
  const spec = { call: deviceLogCalls.page, filters: fixed ? filters.filter(({ field }) => !(field in fixed)) : filters };
  const filtered = Object.keys(filtering.chosen).length > 0;
  return (
    <div className="m-list m-panel">
      <div className="m-toolbar">
        <div className="m-filters">
          <SearchBox list={{ ...filtering, spec }} field="text" hint={t('deviceLog.search')} />
          <FilterBar list={{ ...filtering, spec }} />
        </div>
        <span className="m-row m-tools">
          <Checkbox value={!of.isHeld} onChange={(on) => (on ? of.release() : of.hold())}>
            {t('deviceLog.follow')}
          </Checkbox>
          <ExportMenu
            call={deviceLogCalls.export}
            of={() => ({ criteria: filtering.exported(), columns: ['at', 'sn', 'level', 'tag', 'text', 'leftOut'] })}
          />
        </span>
      </div>
      {of.isHeld ? (
        <p className="m-log-paused m-small" aria-live="polite">
          {t('deviceLog.paused', { count: of.newer })}
          <Button small icon="up" onClick={of.release}>
            {t('deviceLog.newest')}
          </Button>
        </p>
      ) : null}
      <Body of={of} named={fixed === undefined} filtered={filtered} ofDay={filtering.ofDay} onClear={filtering.clearFilters}>
        {children}
      </Body>
    </div>
  );
}
