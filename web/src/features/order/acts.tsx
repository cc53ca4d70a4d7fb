import { orderCalls } from '@mooring/contract/order/calls';
import { isFree, RETURN_DAYS } from '@mooring/contract/order/state-machines';
import { download } from '../../kit/downloads.ts';
import { ofRow, type RowAction, rowAction } from '../../kit/list/types.ts';
import { PartsControl } from '../../kit/parts/parts-control.tsx';
import { PhotosControl } from '../../kit/parts/photos-control.tsx';
import { PriceControl } from '../../kit/parts/price-control.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';
import { useEngineers, useReplacements } from './offered.ts';
import type { Row } from './order-cells.tsx';

function Costs({ row }: { row: Row }) {
  const total = useFormat().money(row.total / 100, row.currency);
  return useT()('order.approveCosts.about', { sn: row.sn, total });
}
function Covered({ row: { inWarranty, warrantyUntil } }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  if (!inWarranty || warrantyUntil === null) return t('order.quote.paid');
  return t('order.quote.free', { date: format.moment(warrantyUntil, 'date', 'UTC') });
}

const back = [
  { name: 'backCarrier', label: 'order.ship.carrier' },
  { name: 'backNumber', label: 'order.ship.number' },
] as const;
const assigning = {
  input: ({ engineerId, dueOn }: Row) => ({ engineerId, dueOn }),
  form: [{ name: 'engineerId', useChoices: useEngineers }, 'dueOn'],
} as const;
const quoting = {
  allowedAction: 'quote',
  successText: 'order.quote.done',
  input: (row: Row) => ({
    diagnosis: row.diagnosis,
    currency: row.currency,
    parts: row.parts,
    labour: row.labour,
    covered: isFree(row),
    // The reason of a statement that was disputed isn't that of the next.
    warrantyReason: row.warranty === 'disputed' ? '' : row.warrantyReason,
  }),
  form: {
    fields: [
      'diagnosis',
      { name: 'covered', wide: true },
      'warrantyReason',
      { name: 'currency', names: 'maintenance.currency.' },
      { name: 'labour', Control: PriceControl, wide: false },
      { name: 'parts', Control: PartsControl, wide: true },
    ],
    about: (row: Row) => <Covered row={row} />,
    wide: true,
  },
} as const;

/** What comes next stands first. */
export const orderActs = ofRow<Row>([
  rowAction(orderCalls.accept, { label: 'order.accept', ...assigning }),
  rowAction(orderCalls.receive, { label: 'order.receive' }),
  rowAction(orderCalls.approveCosts, {
    label: 'order.approveCosts',
    input: (row) => ({ id: row.id, revision: row.revision, total: row.total, currency: row.currency }),
    confirm: { text: (row) => <Costs row={row} /> },
  }),
  rowAction(orderCalls.declineCosts, { label: 'order.declineCosts', form: ['reason'] }),
  rowAction(orderCalls.acceptWarranty, {
    label: 'order.acceptWarranty',
    input: ({ id, revision, diagnosis, warrantyReason }) => ({ id, revision, diagnosis, warrantyReason }),
    confirm: { text: ({ sn }) => t('order.acceptWarranty.about', { sn }) },
  }),
  rowAction(orderCalls.disputeWarranty, { label: 'order.disputeWarranty', form: ['reason'] }),
  rowAction(orderCalls.diagnose, { label: 'order.diagnose' }),
  rowAction(orderCalls.repaired, { label: 'order.repaired', form: ['workDone', ...back] }),
  rowAction(orderCalls.replace, {
    label: 'order.replace',
    form: {
      fields: [{ name: 'replacementId', label: 'order.replace.by', useChoices: useReplacements, wide: true }, 'workDone', ...back],
      about: ({ sn }) => t('order.replace.about', { sn }),
    },
  }),
  rowAction(orderCalls.quote, { label: 'order.quote', when: ({ diagnosis }) => diagnosis === '', ...quoting }),
  rowAction(orderCalls.quote, { key: 'requote', label: 'order.quote.again', when: ({ diagnosis }) => diagnosis !== '', ...quoting }),
  rowAction(orderCalls.delivered, {
    label: 'order.delivered',
    confirm: { text: (row) => t('order.delivered.about', { sn: row.replacementSn || row.sn }) },
  }),
  rowAction(orderCalls.closeReturn, {
    label: 'order.closeReturn',
    form: { fields: ['reason'], about: () => t('order.closeReturn.about', { days: RETURN_DAYS }) },
  }),
  rowAction(orderCalls.ship, {
    label: 'order.ship',
    input: (row) =>
      row.state === 'accepted' ? { carrier: row.outCarrier, number: row.outNumber } : { carrier: row.backCarrier, number: row.backNumber },
    form: ['carrier', 'number'],
  }),
  rowAction(orderCalls.assign, { label: 'order.assign', ...assigning }),
  rowAction(orderCalls.addPhotos, {
    label: 'order.addPhotos',
    input: () => ({ photos: [] }),
    form: [{ name: 'photos', Control: PhotosControl, wide: true }],
  }),
  rowAction(orderCalls.contact, {
    label: 'order.contact',
    input: ({ contactName, phone, address }) => ({ contactName, phone, address }),
    form: ['contactName', 'phone', 'address'],
  }),
  { key: 'update', label: 'order.edit', to: ({ id }) => `/orderEdit/${id}` },
  rowAction(orderCalls.unreceive, { label: 'order.unreceive', form: ['reason'] }),
  rowAction(orderCalls.refuse, { label: 'order.refuse', danger: true, form: ['reason', ...back] }),
  rowAction(orderCalls.decline, { label: 'order.decline', danger: true, form: ['reason'] }),
  rowAction(orderCalls.cancel, { label: 'order.cancel', danger: true, form: ['reason'] }),
]);

const papers: readonly RowAction<Row>[] = [
  { key: 'document', label: 'order.document', rare: true, run: ({ id, number }) => download(orderCalls.document, { id }, `${number}.pdf`) },
  { key: 'print', label: 'order.print', rare: true, run: () => window.print() },
];
export const actsAndPapers = [...orderActs, ...papers];
