import { orderCalls } from '@mooring/contract/order/calls';
import { linkTo } from '../../kit/link.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';
import { Stat } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Board } from './board.tsx';
import { orderList } from './orders.tsx';
import { OrderStatistics } from './statistics.tsx';

const tabs = [
  { key: 'list', title: 'order.tab.list', Body: () => <ListView spec={orderList} /> },
  { key: 'board', title: 'order.tab.board', Body: Board },
  { key: 'statistic', title: 'order.tab.statistic', Body: OrderStatistics },
] as const;
const ImportOrders = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="order.import.title"
    about="order.import.about"
    take="order.import.take"
    call={orderCalls.import}
    template={orderCalls.template}
    fileName="orders.xlsx"
    names="order."
    partly
    onClose={onClose}
  />
);
const actions: readonly PageAction[] = [
  { key: 'import', label: 'order.import', icon: 'upload', call: orderCalls.import, Dialog: ImportOrders },
  { key: 'add', label: 'order.add', icon: 'add', primary: true, call: orderCalls.add, to: '/orderCreate' },
];

/** What is open, waits for us and is late; the latter two lead to those rows. */
function Figures() {
  const t = useT();
  const format = useFormat();
  const { data } = useCall(orderCalls.summary, {}, { keep: true, every: 60 });
  const figure = (n: number | undefined) => `${format.number(n ?? 0)}${data?.capped && n === data.open ? '+' : ''}`;
  return (
    <div className="m-stats">
      <Stat label={t('order.summary.open')} value={figure(data?.open)} loading={!data} />
      <Stat
        label={t('order.summary.waiting')}
        value={figure(data?.waiting)}
        loading={!data}
        {...(data?.waiting ? { tone: 'wait' as const, ...linkTo('/ordersList?waiting=true') } : {})}
      />
      <Stat
        label={t('order.summary.late')}
        value={figure(data?.late)}
        loading={!data}
        {...(data?.late ? { tone: 'bad' as const, ...linkTo('/ordersList?late=true') } : {})}
      />
    </div>
  );
}

// The filters of the list are those of the board.
export const ordersPage = tabsPage({ title: 'order.title', tabs, actions, Above: Figures, clears: ['page', 'row', 'days'] });
