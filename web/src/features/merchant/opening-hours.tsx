import { Clock } from '@mooring/contract/device/messages';
import { clockOf, isOpenAt, type Opening, overlapIn } from '@mooring/contract/merchant/opening-hours';
import { dayOf, minuteOf } from '@mooring/contract/shared/date-range';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/controls.tsx';
import { Unlinked, useFieldLink } from '../../ui/field.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import './merchant.css';

const week = [1, 2, 3, 4, 5, 6, 7] as const;
const WORKDAYS = [2, 3, 4, 5];
/** What is whole already is a time at once: nothing on the page moves when the field is left. */
const asTyped = (text: string) => (/^(\d{4}|\d{1,2}[:.h]\d\d)$/.test(text) ? clockOf(text) : text);

/** The next day that has none yet. */
const nextOf = (hours: readonly Opening[]): Opening => {
  const last = hours.at(-1);
  const following = last ? (last.day % 7) + 1 : 1;
  const free = [...week, ...week].slice(following - 1).find((day) => !hours.some((one) => one.day === day));
  return { day: free ?? following, from: last?.from ?? '09:00', to: last?.to ?? '18:00' };
};

/** Hours by weekday, each a line. */
export function OpeningHoursControl({ value = [], onChange, onBlur, disabled }: ControlPart<readonly Opening[] | undefined>) {
  const t = useT();
  const put = (at: number, part: Partial<Opening>) => onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const monday = value.filter(({ day }) => day === 1);
  const { invalid } = useFieldLink();
  const isClock = (text: string) => Clock.safeParse(text).success;
  const whole = value.flatMap((one, at) => (isClock(one.from) && isClock(one.to) ? [{ one, at }] : []));
  const clash = overlapIn(whole.map(({ one }) => one));
  const clashAt = clash === undefined ? undefined : whole[clash]?.at;
  /** What is wrong with a line: a clash at once, the rest when the form was refused. */
  const wrongAt = ({ from, to }: Opening, at: number) => {
    if (at === clashAt) return t('invalid.openingOverlap');
    if (!invalid) return undefined;
    return !isClock(from) || !isClock(to) ? t('invalid.clock') : from === to ? t('invalid.openingEmpty') : undefined;
  };
  const settle = (at: number, part: 'from' | 'to') => {
    const text = value[at]?.[part] ?? '';
    if (clockOf(text) !== text) put(at, { [part]: clockOf(text) });
    onBlur();
  };
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {value.map(({ day, from, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={at} className="m-stack-tight">
            <div className="m-hours">
              <Select
                label={t('shop.openingHours.day')}
                value={day}
                onChange={(next) => put(at, { day: next ?? 1 })}
                options={week.map((one) => ({ value: one as number, label: t(`firmware.task.day.${one}`) }))}
                disabled={disabled}
              />
              <TextInput
                label={t('shop.openingHours.from')}
                value={from}
                onChange={(next) => put(at, { from: asTyped(next) })}
                onBlur={() => settle(at, 'from')}
                disabled={disabled}
              />
              <span aria-hidden>–</span>
              <TextInput
                label={t('shop.openingHours.to')}
                value={to}
                onChange={(next) => put(at, { to: asTyped(next) })}
                onBlur={() => settle(at, 'to')}
                disabled={disabled}
              />
              <IconButton
                icon="delete"
                label={t('shop.openingHours.remove', { at: at + 1 })}
                disabled={disabled}
                onClick={() => onChange(value.toSpliced(at, 1))}
              />
            </div>
            {wrongAt({ day, from, to }, at) ? (
              <span className="m-field-error" role="alert">
                {wrongAt({ day, from, to }, at)}
              </span>
            ) : null}
          </div>
        ))}
        <div className="m-row m-row-wrap">
          <Button small icon="add" disabled={disabled} onClick={() => onChange([...value, nextOf(value)])}>
            {t('shop.openingHours.add')}
          </Button>
          {monday.length > 0 && monday.length === value.length ? (
            <Button
              small
              look="quiet"
              disabled={disabled}
              onClick={() => onChange([...value, ...WORKDAYS.flatMap((day) => monday.map((one) => ({ ...one, day })))])}
            >
              {t('shop.openingHours.copy')}
            </Button>
          ) : null}
        </div>
      </div>
    </Unlinked>
  );
}

type Line = { first: Opening['day']; last: Opening['day']; readonly text: string };
/** Days that follow each other with the same hours together. */
function linesOf(hours: readonly Opening[]): Line[] {
  const lines: Line[] = [];
  for (const day of week) {
    const own = hours.filter((hour) => hour.day === day).toSorted((a, b) => a.from.localeCompare(b.from));
    const text = own.map(({ from, to }) => `${from}–${to}`).join(', ');
    const before = lines.at(-1);
    if (before?.text === text && before.last === day - 1) before.last = day;
    else if (text !== '') lines.push({ first: day, last: day, text });
  }
  return lines;
}

/** Hours in words, and whether the shop is open at this moment by its own clock. */
export function OpeningHoursText({ hours, timeZone }: { hours: readonly Opening[]; timeZone: string }) {
  const t = useT();
  const format = useFormat();
  if (hours.length === 0) return <span className="m-muted">{t('shop.openingHours.none')}</span>;
  const now = new Date();
  const day = new Date(`${dayOf(now, timeZone)}T00:00:00Z`).getUTCDay() || 7;
  const name = (one: number) => t(`firmware.task.day.${one as 1}`);
  return (
    <div>
      {linesOf(hours).map(({ first, last, text }) => (
        <div key={first}>
          {first === last ? name(first) : `${name(first)} – ${name(last)}`} {format.straight(text)}
        </div>
      ))}
      <div className="m-muted m-small">{t(isOpenAt(hours, day, minuteOf(now, timeZone)) ? 'shop.openNow' : 'shop.closedNow')}</div>
    </div>
  );
}

/** The same in one line. */
export function OpeningHoursLine({ hours }: { hours: readonly Opening[] }) {
  const t = useT();
  const format = useFormat();
  const name = (one: number) => t(`firmware.task.day.${one as 1}`);
  if (hours.length === 0) return '–';
  return linesOf(hours)
    .map(({ first, last, text }) => `${first === last ? name(first) : `${name(first)} – ${name(last)}`} ${format.straight(text)}`)
    .join(' · ');
}
