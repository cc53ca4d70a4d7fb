import { FAULTS, orderCalls } from '@mooring/contract/order/calls';
import { closableFrom, orderMachine } from '@mooring/contract/order/state-machines';
import { DictLabel } from '../../kit/choices.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { actsAndPapers } from './acts.tsx';
import { History } from './history.tsx';
import { Due, type Row } from './order-cells.tsx';
import { Described, Repair, Shipping } from './repair.tsx';

const Role = ({ row }: { row: Row }) => {
  const t = useT();
  return <Tag>{t(`order.side.${row.side}`)}</Tag>;
};
function Warranty({ row: { warrantyUntil, inWarranty } }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  if (warrantyUntil === null) return t('order.warranty.none');
  return t(inWarranty ? 'order.warranty.until' : 'order.warranty.over', { date: format.moment(warrantyUntil, 'date', 'UTC') });
}
/** Since when it is on its way, and until when the other side may say that it is back. */
function SentBack({ at }: { at: string }) {
  const t = useT();
  const format = useFormat();
  return (
    <div>
      {format.moment(at)}
      <div className="m-muted m-small">
        {t('order.returnedAt.closes', { date: format.moment(closableFrom(at).toISOString(), 'date', 'UTC') })}
      </div>
    </div>
  );
}
const place = ({ merchantName, shopName }: Row) => [merchantName, shopName].filter(Boolean).join(' · ');
const placeLink = (row: Row) =>
  row.inReach && row.merchantId !== null ? <Link to={`/merchant/${row.merchantId}`}>{place(row)}</Link> : place(row);
const asked = ({ contactName, phone }: Row) => [contactName, phone].filter(Boolean).join(' · ');

const Body = ({ row }: { row: Row }) => (
  <div className="m-beside">
    <History row={row} />
    <div className="m-stack">
      <Repair row={row} />
      <Described row={row} />
      <Shipping row={row} />
    </div>
  </div>
);

/** An order as both sides follow it: what comes next, what happened, what it costs. */
export const orderPage = detailPage({
  call: orderCalls.detail,
  nameOf: (row) => row.number,
  state: { machine: orderMachine, of: (row) => row.state },
  note: (row) => <Role row={row} />,
  facts: [
    {
      key: 'sn',
      title: 'order.deviceId',
      kind: 'code',
      link: (row) => (row.inReach ? `/device/deviceDetail/${row.deviceId}` : undefined),
    },
    { key: 'productName', title: 'device.product' },
    { key: 'fault', title: 'order.fault', cell: (row) => <DictLabel type={FAULTS} value={row.fault} /> },
    { key: 'deptName', title: 'order.deptName' },
    { key: 'partnerName', title: 'order.partnerId' },
    { key: 'partnerAddress', title: 'order.partnerAddress', when: (row) => row.partnerAddress !== '' },
    { key: '_place', title: 'order.merchantId', when: (row) => place(row) !== '', cell: placeLink },
    { key: '_contact', title: 'order.contactName', when: (row) => asked(row) !== '', cell: asked },
    { key: 'address', title: 'order.address', when: (row) => row.address !== '' },
    { key: '_warranty', title: 'order.warranty', cell: (row) => <Warranty row={row} /> },
    { key: 'engineer', title: 'order.engineerId' },
    { key: 'dueOn', title: 'order.dueOn', cell: (row) => <Due row={row} /> },
    { key: 'replacementSn', title: 'order.replacementId', kind: 'code', when: (row) => row.replacementSn !== '' },
    { key: 'createdBy', title: 'order.createdBy' },
    { key: 'createdAt', title: 'order.createdAt', kind: 'moment' },
    {
      key: 'returnedAt',
      title: 'order.returnedAt',
      when: (row) => row.returnedAt !== null,
      cell: ({ returnedAt }) => (returnedAt === null ? '–' : <SentBack at={String(returnedAt)} />),
    },
    { key: 'closedAt', title: 'order.closedAt', kind: 'moment', when: (row) => row.closedAt !== null },
  ],
  actions: actsAndPapers,
  leads: 2,
  slots: { below: Body },
});
