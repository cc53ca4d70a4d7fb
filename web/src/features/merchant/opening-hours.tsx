import { isOpenAt, type Opening, overlapIn } from '@mooring/contract/merchant/opening-hours';
import { dayOf, minuteOf } from '@mooring/contract/shared/date-range';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/controls.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import './merchant.css';

const week = [1, 2, 3, 4, 5, 6, 7] as const;
const WORKDAYS = [2, 3, 4, 5];
const nextOf = (hours: readonly Opening[]): Opening => {
  const last = hours.at(-1);
  return { day: last ? (last.day % 7) + 1 : 1, from: last?.from ?? '09:00', to: last?.to ?? '18:00' };
};

/** Hours by weekday, each a line. */
export function OpeningHoursControl({ value = [], onChange, onBlur, disabled }: ControlPart<readonly Opening[] | undefined>) {
  const t = useT();
  const put = (at: number, part: Partial<Opening>) => onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const monday = value.filter(({ day }) => day === 1);
  const clash = overlapIn(value);
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {value.map(({ day, from, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={at} className="m-row m-hours">
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
              onChange={(next) => put(at, { from: next })}
              onBlur={onBlur}
              disabled={disabled}
            />
            <span aria-hidden>–</span>
            <TextInput
              label={t('shop.openingHours.to')}
              value={to}
              onChange={(next) => put(at, { to: next })}
              onBlur={onBlur}
              disabled={disabled}
            />
            <IconButton
              icon="delete"
              label={t('shop.openingHours.remove', { at: at + 1 })}
              disabled={disabled}
              onClick={() => onChange(value.toSpliced(at, 1))}
            />
          </div>
        ))}
        {clash === undefined ? null : <p role="alert">{t('invalid.openingOverlap')}</p>}
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

/** Hours in words, and whether the shop is open at this moment by its own clock. */
export function OpeningHoursText({ hours, timeZone }: { hours: readonly Opening[]; timeZone: string }) {
  const t = useT();
  if (hours.length === 0) return <span className="m-muted">{t('shop.openingHours.none')}</span>;
  const now = new Date();
  const day = new Date(`${dayOf(now, timeZone)}T00:00:00Z`).getUTCDay() || 7;
  const isOpen = isOpenAt(hours, day, minuteOf(now, timeZone));
  const days = week.flatMap((one) => {
    const own = hours.filter((hour) => hour.day === one).toSorted((a, b) => a.from.localeCompare(b.from));
    return own.length === 0 ? [] : [{ day: one, text: own.map(({ from, to }) => `${from}–${to}`).join(', ') }];
  });
  return (
    <div className="m-stack-tight">
      <span>
        <Tag>{t(isOpen ? 'shop.openNow' : 'shop.closedNow')}</Tag>
      </span>
      <ul className="m-plain-list">
        {days.map((one) => (
          <li key={one.day}>
            {t(`firmware.task.day.${one.day}`)} <bdi>{one.text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
