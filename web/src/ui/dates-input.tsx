import { type Day, dayOf, monthStart } from '@mooring/contract/shared/date-range';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { addMonths, dayByKey, daysBetween, daysIn, isDay, weeksOf } from './month-days.ts';
import { TagsInput } from './tags-input.tsx';
import { useFormat, useT } from './words.ts';

interface CalendarProps {
  readonly value: readonly string[];
  readonly onChange: (days: readonly string[]) => void;
  /** The first day that can be chosen. */
  readonly from: Day;
  readonly most: number;
}

/** A month whose days are taken and given back one by one; with Shift all from the last one to this. Keys go as in any grid of days. */
function Calendar({ value, onChange, from, most }: CalendarProps) {
  const t = useT();
  const format = useFormat();
  const [at, setAt] = useState<Day>(() => value.find((day) => isDay(day) && day >= from) ?? from);
  const [last, setLast] = useState<{ day: Day; taken: boolean }>();
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
    moved.current = false;
  }, [at]);
  const chosen = new Set(value);
  const isShut = (day: Day) => !chosen.has(day) && (day < from || chosen.size >= most);
  const choose = (day: Day, { shiftKey }: MouseEvent) => {
    setAt(day);
    const span = shiftKey ? last : undefined;
    const taken = span?.taken ?? !chosen.has(day);
    if (taken && isShut(day)) return;
    setLast({ day, taken });
    const days = daysBetween(span?.day ?? day, day);
    const more = days.filter((one) => one >= from && !chosen.has(one));
    onChange(taken ? [...value, ...more].slice(0, most) : value.filter((one) => !days.includes(one)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const day = event.target instanceof HTMLElement ? event.target.dataset.day : undefined;
    const next = dayByKey(day ?? at, event.key, document.documentElement.dir === 'rtl' ? -1 : 1);
    if (next === undefined) return;
    event.preventDefault();
    if (next < monthStart(from)) return;
    moved.current = true;
    setAt(next);
  };
  const weeks = weeksOf(at);
  const month = format.dayWords(at, 'month');
  return (
    <div className="m-month">
      <div className="m-month-head">
        <IconButton
          icon="left"
          small
          label={t('kit.dates.previous')}
          disabled={monthStart(at) <= monthStart(from)}
          onClick={() => setAt(monthStart(addMonths(at, -1)))}
        />
        <b aria-live="polite">{month}</b>
        <IconButton icon="right" small label={t('kit.dates.next')} onClick={() => setAt(monthStart(addMonths(at, 1)))} />
      </div>
      <table ref={grid} aria-label={month} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={format.dayWords(day, 'weekday')}>
                {format.dayWords(day, 'narrowWeekday')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    className={monthStart(day) === monthStart(at) ? 'm-day' : 'm-day m-day-beside'}
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    aria-pressed={chosen.has(day)}
                    aria-disabled={isShut(day)}
                    aria-label={`${day}, ${format.dayWords(day, 'weekday')}`}
                    onClick={(event) => choose(day, event)}
                  >
                    {Number(day.slice(-2))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="m-muted m-small">{t('kit.dates.shift')}</p>
    </div>
  );
}

interface DatesProps {
  readonly value: readonly string[];
  readonly onChange: (days: string[]) => void;
  readonly onBlur?: () => void;
  /** How many there may be. */
  readonly most: number;
}

/** Several days: typed, also as a span, or taken from a calendar that opens below. Those that are over aren't offered. */
export function DatesInput({ value, onChange, onBlur, most }: DatesProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const today = dayOf(Date.now(), useFormat().timeZone);
  const put = (days: readonly string[]) => onChange(daysIn(days, most));
  return (
    <div className="m-dates">
      <div className="m-dates-line">
        <TagsInput value={value} onChange={put} {...(onBlur ? { onBlur } : {})} />
        <IconButton icon="calendar" label={t('kit.dates.calendar')} expanded={open} onClick={() => setOpen(!open)} />
      </div>
      {open ? <Calendar value={value} onChange={put} from={today} most={most} /> : null}
    </div>
  );
}
