import { addDays, type DayRange, dayOf, monthlyRange, type Preset, presetRange, presets } from '@mooring/contract/shared/date-range';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
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

/** Whole days in the person's time zone, or whole months, with the four presets. Loaded late: the calendar is large. */
export function DateRangePicker({ value, onChange, label, months }: DateRangeProps) {
  const t = useT();
  const { id } = useFieldLink();
  const today = dayOf(Date.now(), useFormat().timeZone);
  const shown: [Dayjs | null, Dayjs | null] = [value.from ? dayjs(value.from) : null, value.to ? dayjs(value.to) : null];
  const open = (range: DayRange): [Dayjs, Dayjs] => [dayjs(range.from ?? EARLIEST), dayjs(range.to ?? today)];
  return (
    <DatePicker.RangePicker
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
  );
}

interface DayProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onBlur?: () => void;
  disabled?: boolean;
}

function useDay({ value, onBlur, disabled = false }: DayProps) {
  const { id, invalid } = useFieldLink();
  return {
    ...(id ? { id } : {}),
    ...(invalid ? { status: 'error' as const } : {}),
    value: value ? dayjs(value) : null,
    disabled,
    style: { inlineSize: '100%' },
    onBlur: () => onBlur?.(),
  };
}

/** One moment: a day and a time. */
export const MomentPicker = (props: DayProps) => (
  <DatePicker
    {...useDay(props)}
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    onChange={(next) => props.onChange(next?.toISOString())}
  />
);

/** One day, without a time zone: as a document has it. */
export const DayPicker = (props: DayProps) => (
  <DatePicker {...useDay(props)} format="YYYY-MM-DD" onChange={(next) => props.onChange(next?.format('YYYY-MM-DD'))} />
);
