import { FAULTS, OrderDays, orderCalls } from '@mooring/contract/order/calls';
import { dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { useFiltering } from '../../kit/list/use-filtering.ts';
import { useCall } from '../../kit/queries.ts';
import { counted, Statistics } from '../../kit/statistics.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { orderList } from './orders.tsx';

/** Those of the list that say whose orders are counted, and of what. */
const fields: readonly string[] = ['deptId', 'partnerId', 'merchantId', 'productId'];
const counting = { ...orderList, filters: (orderList.filters ?? []).filter(({ field }) => fields.includes(field)) };

/** Orders by time, fault and product, of those that the filters leave. */
export function OrderStatistics() {
  const t = useT();
  const format = useFormat();
  // Those that nobody can choose any more, too.
  const faults = useCall(dictFindCalls.findByCriteria, { criteria: { type: FAULTS, disabled: true } });
  const filtering = useFiltering<typeof orderCalls.page, typeof counting>(counting);
  const criteria = Object.fromEntries(Object.entries(filtering.chosen).filter(([field]) => fields.includes(field)));
  const nameOf = (fault: string) => faults.data?.find(({ value }) => value === fault)?.label ?? fault;
  return (
    <div className="m-stack">
      <div className="m-panel m-toolbar">
        <div className="m-filters">
          <FilterBar list={filtering} />
        </div>
      </div>
      <Statistics
        call={orderCalls.statistic}
        more={{ criteria }}
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
    </div>
  );
}
