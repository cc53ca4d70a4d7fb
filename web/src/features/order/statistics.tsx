import { FAULTS, OrderDays, orderCalls } from '@mooring/contract/order/calls';
import { dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { useCall } from '../../kit/queries.ts';
import { counted, Statistics } from '../../kit/statistics.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** Orders by time, fault and product. */
export function OrderStatistics() {
  const t = useT();
  const format = useFormat();
  // Those that nobody can choose any more, too.
  const faults = useCall(dictFindCalls.findByCriteria, { criteria: { type: FAULTS, disabled: true } });
  const nameOf = (fault: string) => faults.data?.find(({ value }) => value === fault)?.label ?? fault;
  return (
    <Statistics
      call={orderCalls.statistic}
      days={OrderDays}
      usual="90"
      names="order.days"
      none={{ icon: 'order', title: 'order.statistic.none', when: ({ times }) => times.every(({ made }) => made === 0) }}
      figures={({ times, averageDays, faults: byFault, products }) => [
        {
          title: 'order.statistic.time',
          kind: 'stack',
          data: {
            categories: times.map(({ from }) => format.moment(from, 'date', 'UTC')),
            series: [
              { key: 'closed', name: t('life.order.closed'), values: times.map(({ closed }) => closed) },
              {
                key: 'open',
                name: t('order.statistic.open'),
                values: times.map(({ made, closed, cancelled }) => made - closed - cancelled),
              },
              { key: 'cancelled', name: t('life.order.cancelled'), values: times.map(({ cancelled }) => cancelled) },
            ],
          },
          said: averageDays === null ? undefined : t('order.statistic.average', { days: format.number(averageDays, 1) }),
        },
        {
          title: 'order.statistic.fault',
          data: counted(
            t('order.title'),
            '–',
            byFault.map(({ fault, count }) => ({ name: nameOf(fault), count })),
          ),
        },
        { title: 'order.statistic.product', data: counted(t('order.title'), '–', products) },
      ]}
    />
  );
}
