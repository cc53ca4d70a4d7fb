import {
  type DayRange,
  dayOf,
  type StatisticRange as Range,
  statisticOf,
  statisticRange,
  statisticRanges,
} from '@mooring/contract/shared/date-range';
import { useState } from 'react';
import { Select } from './controls.tsx';
import { DateRange } from './late-dates.tsx';
import { useFormat, useT } from './words.ts';

const keys = {
  cumulative: 'kit.range.cumulative',
  last30: 'kit.range.last30',
  thisMonth: 'kit.range.thisMonth',
  custom: 'kit.range.custom',
} as const satisfies Record<Range, string>;

interface StatisticRangeProps {
  readonly value: DayRange;
  readonly onChange: (range: DayRange) => void;
  readonly label?: string;
}

/** What a statistic counts: the four ranges of specification section 9; the calendar shows for one of one's own. */
export function StatisticRange({ value, onChange, label }: StatisticRangeProps) {
  const t = useT();
  const today = dayOf(Date.now(), useFormat().timeZone);
  const [own, setOwn] = useState(false);
  const chosen = own ? 'custom' : statisticOf(value, today);
  return (
    <div className="m-row m-row-wrap">
      <Select
        width={150}
        value={chosen}
        onChange={(next = 'cumulative') => {
          setOwn(next === 'custom');
          if (next !== 'custom') onChange(statisticRange(next, today));
        }}
        options={statisticRanges.map((one) => ({ value: one, label: t(keys[one]) }))}
        {...(label ? { label } : {})}
      />
      {chosen === 'custom' ? <DateRange value={value} onChange={onChange} {...(label ? { label } : {})} /> : null}
    </div>
  );
}
