import {
  addDays,
  type DayRange,
  dayOf,
  monthlyRange,
  type Preset,
  presetRange,
  presets,
  wallNow,
} from '@mooring/contract/shared/date-range';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ReactNode, useState } from 'react';
import { useFieldLink } from './field.tsx';
import { useFormat, useT } from './words.ts';

const presetKeys = {
  last3: 'kit.range.last3',
  last7: 'kit.range.last7',
  last30: 'kit.range.last30',
  over30: 'kit.range.over30',
} as const satisfies Record<Preset, string>;

/** The calendar for which "over 30 days" begins nowhere needs a first day; nothing is older than this. */
const EARLIEST = '2000-01-01';

export interface DateRangeProps {
  value: DayRange;
  onChange: (range: DayRange) => void;
  label?: string;
  months?: boolean;
}

interface Panel {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}
interface TypedProps {
  readonly onTyped: (text: string, place: number) => void;
  readonly children: (panel: Panel) => ReactNode;
}

/**
 * Hears each text of the inputs inside: a calendar itself tells of whole dates alone, and falls back to the old one for the rest.
 * While its panel is open, Enter confirms there and closes it; to the form it would mean that all is filled in.
 */
function Typed({ onTyped, children }: TypedProps) {
  const [open, onOpenChange] = useState(false);
  const placeOf = (frame: HTMLElement, input: HTMLInputElement) => {
    const inputs = [...frame.querySelectorAll('input')];
    return { place: inputs.indexOf(input), alone: inputs.length === 1 };
  };
  return (
    <div
      onInput={({ target, currentTarget }) => {
        if (target instanceof HTMLInputElement) onTyped(target.value.trim(), placeOf(currentTarget, target).place);
      }}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || !open || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        // A range goes from its first day to its last one, and closes by itself.
        if (placeOf(event.currentTarget, event.target).alone) onOpenChange(false);
      }}
    >
      {children({ open, onOpenChange })}
    </div>
  );
}

/** Whole days in the person's time zone, or whole months, with the four presets. Loaded late: the calendar is large. */
export function DateRangePicker({ value, onChange, label, months }: DateRangeProps) {
  const t = useT();
  const { id } = useFieldLink();
  const today = dayOf(Date.now(), useFormat().timeZone);
  const shown: [Dayjs | null, Dayjs | null] = [value.from ? dayjs(value.from) : null, value.to ? dayjs(value.to) : null];
  const open = (range: DayRange): [Dayjs, Dayjs] => [dayjs(range.from ?? EARLIEST), dayjs(range.to ?? today)];
  const typed = (text: string, place: number) => {
    const end = place === 0 ? 'from' : 'to';
    if (text === '' && value[end] !== undefined) onChange({ ...value, [end]: undefined });
  };
  return (
    <Typed onTyped={typed}>
      {({ onOpenChange }) => (
        <DatePicker.RangePicker
          onOpenChange={onOpenChange}
          preserveInvalidOnBlur
          {...(id ? { id: { start: id, end: `${id}-to` } } : {})}
          value={shown}
          allowEmpty={[true, true]}
          picker={months ? 'month' : 'date'}
          style={{ inlineSize: '100%', minInlineSize: 220 }}
          format={months ? 'YYYY-MM' : 'YYYY-MM-DD'}
          order
          presets={presets.map((preset) => ({ label: t(presetKeys[preset]), value: open(presetRange(preset, today)) }))}
          maxDate={dayjs(addDays(today, 366))}
          placeholder={[t('kit.range.from'), t('kit.range.to')]}
          {...(label ? { 'aria-label': label } : {})}
          onChange={(range) => {
            const from = range?.[0]?.format('YYYY-MM-DD');
            const days = { from: from === EARLIEST ? undefined : from, to: range?.[1]?.format('YYYY-MM-DD') };
            onChange(months ? monthlyRange(days) : days);
          }}
        />
      )}
    </Typed>
  );
}

const HOURS = { hour: 1, hours6: 6, hours24: 24 } as const;
const WALL = 'YYYY-MM-DDTHH:mm';
/** From and to with their minutes, by the clock on the wall in the person's time zone; a day alone is all of it. */
export function MinuteRangePicker({ value, onChange, label }: Omit<DateRangeProps, 'months'>) {
  const t = useT();
  const { id } = useFieldLink();
  const { timeZone } = useFormat();
  const read = (text: string | undefined, ofDay: string) => (text ? dayjs(text.includes('T') ? text : `${text}T${ofDay}`) : null);
  const now = wallNow(timeZone);
  return (
    <Typed
      onTyped={(text, place) => {
        const end = place === 0 ? 'from' : 'to';
        if (text === '' && value[end] !== undefined) onChange({ ...value, [end]: undefined });
      }}
    >
      {({ onOpenChange }) => (
        <DatePicker.RangePicker
          onOpenChange={onOpenChange}
          preserveInvalidOnBlur
          {...(id ? { id: { start: id, end: `${id}-to` } } : {})}
          value={[read(value.from, '00:00'), read(value.to, '23:59')]}
          allowEmpty={[true, true]}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          needConfirm={false}
          order
          style={{ inlineSize: '100%', minInlineSize: 330 }}
          presets={Object.entries(HOURS).map(([key, hours]) => ({
            label: t(`kit.range.${key as keyof typeof HOURS}`),
            value: [dayjs(now).subtract(hours, 'hour'), dayjs(now)],
          }))}
          placeholder={[t('kit.range.from'), t('kit.range.to')]}
          {...(label ? { 'aria-label': label } : {})}
          onChange={(range) => onChange({ from: range?.[0]?.format(WALL), to: range?.[1]?.format(WALL) })}
        />
      )}
    </Typed>
  );
}

interface DayProps {
  /** A moment or day; or what was typed that is none: the form says so, and the field keeps it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onBlur?: () => void;
  disabled?: boolean;
}

/** As the form keeps them; what is being typed may look like a date long before it is one. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function useDay({ value, onChange, onBlur, disabled = false }: DayProps, format: string, kept: RegExp) {
  const { id, invalid, describedBy } = useFieldLink();
  const read = value ? dayjs(value) : null;
  const isWrong = read !== null && !(kept.test(value ?? '') && read.isValid());
  // What was typed stands in the control itself, over the date that it had.
  const [shown, setShown] = useState(isWrong ? null : read);
  if (!isWrong && read?.valueOf() !== shown?.valueOf()) setShown(read);
  return {
    typed: (text: string) => {
      if (text === '') onChange(undefined);
      else if (!dayjs(text, format, true).isValid()) onChange(text);
    },
    picker: {
      ...(id ? { id } : {}),
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(invalid ? { status: 'error' as const, 'aria-invalid': true } : {}),
      ...(isWrong && value ? { placeholder: value } : {}),
      value: shown,
      format,
      disabled,
      preserveInvalidOnBlur: true,
      style: { inlineSize: '100%' },
      onBlur: () => onBlur?.(),
    },
  };
}

/** One moment: a day and a time. What is typed or picked counts without an OK. */
export function MomentPicker(props: DayProps) {
  const { typed, picker } = useDay(props, 'YYYY-MM-DD HH:mm', MOMENT);
  return (
    <Typed onTyped={typed}>
      {(panel) => (
        <DatePicker
          {...picker}
          {...panel}
          showTime={{ format: 'HH:mm' }}
          needConfirm={false}
          onChange={(next) => props.onChange(next?.toISOString())}
        />
      )}
    </Typed>
  );
}

/** One day, without a time zone: as a document has it. */
export function DayPicker(props: DayProps) {
  const { typed, picker } = useDay(props, 'YYYY-MM-DD', DAY);
  return (
    <Typed onTyped={typed}>
      {(panel) => <DatePicker {...picker} {...panel} onChange={(next) => props.onChange(next?.format('YYYY-MM-DD'))} />}
    </Typed>
  );
}
