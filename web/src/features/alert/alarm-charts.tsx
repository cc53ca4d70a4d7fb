import { AlarmDays, alarmCalls } from '@mooring/contract/alert/alarm';
import { counted, Statistics } from '../../kit/statistics.tsx';
import { useFormat, useT } from '../../ui/words.ts';

const priorities = [
  ['high', '1'],
  ['medium', '2'],
  ['low', '3'],
] as const;

/** How many alarms there were, by day, rule and product. */
export function AlarmCharts() {
  const t = useT();
  const format = useFormat();
  const named = (rows: readonly { name: string; count: number }[]) => counted(t('alarm.title'), t('alarm.ruleGone'), rows);
  return (
    <Statistics
      call={alarmCalls.statistic}
      days={AlarmDays}
      usual="30"
      names="alarm.days"
      none={{ icon: 'done', title: 'alarm.none', when: ({ days }) => days.every(({ high, medium, low }) => high + medium + low === 0) }}
      figures={({ days, rules, products }) => [
        {
          title: 'alarm.perDay',
          kind: 'stack',
          data: {
            categories: days.map(({ day }) => format.moment(day, 'date', 'UTC')),
            series: priorities.map(([key, code]) => ({ key, name: t(`alert.priority.${code}`), values: days.map((one) => one[key]) })),
          },
        },
        { title: 'alarm.perRule', data: named(rules) },
        ...(products.length > 0 ? [{ title: 'alarm.perProduct' as const, data: named(products) }] : []),
      ]}
    />
  );
}
