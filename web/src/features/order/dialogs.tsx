import type { Call } from '@mooring/contract/kit/call';
import { orderCalls } from '@mooring/contract/order/calls';
import { isFree } from '@mooring/contract/order/state-machines';
import { bind } from '../../kit/bind-page.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { FieldSpec } from '../../kit/form/types.ts';
import { PartsControl } from '../../kit/parts/parts-control.tsx';
import { seenOf } from '../../kit/seen-of.ts';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { ForOrder, useEngineers, useReplacements } from './offered.ts';
import type { Row } from './order-cells.tsx';

interface Doing {
  readonly row: Row;
  readonly onClose: () => void;
}
type Fields = readonly FieldSpec[];
interface Act extends Doing {
  readonly call: Call;
  readonly title: TextKey;
  readonly done: TextKey;
  readonly fields: Fields;
  readonly initial?: object;
  readonly about?: string;
  readonly wide?: boolean;
}

function ActDialog({ row, onClose, call, title, done, fields, initial, about, wide = false }: Act) {
  const t = useT();
  return (
    <FormDialog
      title={title}
      of={row.number}
      submit={title}
      call={call}
      fields={fields as never}
      initial={{ ...seenOf(call, row), ...initial } as never}
      wide={wide}
      about={about === undefined ? null : <p className="m-muted">{about}</p>}
      onClose={onClose}
      onDone={() => toast('done', t(done, { name: row.number }))}
    />
  );
}

const back: Fields = [
  { name: 'backCarrier', label: 'order.ship.carrier' },
  { name: 'backNumber', label: 'order.ship.number' },
];
const reason: Fields = [{ name: 'reason', label: 'order.reason', kind: 'area', wide: true }];

const assigning: Fields = [
  { name: 'engineerId', label: 'order.engineerId', kind: 'one', useChoices: useEngineers },
  { name: 'dueOn', label: 'order.dueOn', kind: 'day' },
];
interface Assigns {
  readonly act: 'accept' | 'assign';
  readonly call: Call;
}
const Assigning = ({ row, onClose, act, call }: Doing & Assigns) => (
  <ForOrder value={row.id}>
    <ActDialog
      row={row}
      onClose={onClose}
      call={call}
      title={`order.${act}`}
      done={`order.${act}.done`}
      fields={assigning}
      initial={{ engineerId: row.engineerId, dueOn: row.dueOn }}
    />
  </ForOrder>
);

function Replacing({ row, onClose }: Doing) {
  const t = useT();
  return (
    <ForOrder value={row.id}>
      <ActDialog
        row={row}
        onClose={onClose}
        call={orderCalls.replace}
        title="order.replace"
        done="order.replace.done"
        about={t('order.replace.about', { sn: row.sn })}
        fields={[
          { name: 'replacementId', label: 'order.replace.by', kind: 'one', useChoices: useReplacements, wide: true },
          { name: 'workDone', label: 'order.workDone', kind: 'area', wide: true },
          ...back,
        ]}
      />
    </ForOrder>
  );
}

function Quoting({ row, onClose }: Doing) {
  const t = useT();
  const format = useFormat();
  const about =
    row.inWarranty && row.warrantyUntil !== null
      ? t('order.quote.free', { date: format.moment(row.warrantyUntil, 'date', 'UTC') })
      : t('order.quote.paid');
  return (
    <ActDialog
      wide
      row={row}
      onClose={onClose}
      call={orderCalls.quote}
      title="order.quote"
      done="order.quote.done"
      about={about}
      initial={{
        diagnosis: row.diagnosis,
        currency: row.currency,
        parts: row.parts,
        labour: row.labour,
        covered: isFree(row),
        // The reason of a statement that was disputed isn't that of the next.
        warrantyReason: row.warranty === 'disputed' ? '' : row.warrantyReason,
      }}
      fields={[
        { name: 'diagnosis', label: 'order.diagnosis', kind: 'area', wide: true },
        { name: 'covered', label: 'order.covered', help: 'order.covered.help', kind: 'switch', wide: true },
        { name: 'warrantyReason', label: 'order.warrantyReason', kind: 'area', wide: true },
        { name: 'currency', label: 'order.currency', names: 'maintenance.currency.' },
        { name: 'labour', label: 'order.labour' },
        { name: 'parts', label: 'order.parts', Control: PartsControl, wide: true },
      ]}
    />
  );
}

function Shipping({ row, onClose }: Doing) {
  const isOut = row.state === 'accepted';
  return (
    <ActDialog
      row={row}
      onClose={onClose}
      call={orderCalls.ship}
      title="order.ship"
      done="order.ship.done"
      initial={isOut ? { carrier: row.outCarrier, number: row.outNumber } : { carrier: row.backCarrier, number: row.backNumber }}
      fields={[
        { name: 'carrier', label: 'order.ship.carrier' },
        { name: 'number', label: 'order.ship.number' },
      ]}
    />
  );
}

interface Said {
  readonly act: 'cancel' | 'declineCosts' | 'disputeWarranty' | 'refuse' | 'repaired';
  readonly call: Call;
  readonly fields: Fields;
  readonly told?: TextKey;
}
function Saying({ row, onClose, act, call, fields, told }: Said & Doing) {
  const t = useT();
  return (
    <ActDialog
      row={row}
      onClose={onClose}
      call={call}
      title={`order.${act}`}
      done={`order.${act}.done`}
      fields={fields}
      {...(told ? { about: t(told) } : {})}
    />
  );
}
const said = (given: Said) => bind<Said, Doing>(Saying, given);

/** What asks for something before it is done. */
export const dialogs = {
  accept: bind<Assigns, Doing>(Assigning, { act: 'accept', call: orderCalls.accept }),
  assign: bind<Assigns, Doing>(Assigning, { act: 'assign', call: orderCalls.assign }),
  quote: Quoting,
  ship: Shipping,
  replace: Replacing,
  cancel: said({ act: 'cancel', call: orderCalls.cancel, fields: reason, told: 'order.cancel.about' }),
  declineCosts: said({ act: 'declineCosts', call: orderCalls.declineCosts, fields: reason }),
  disputeWarranty: said({ act: 'disputeWarranty', call: orderCalls.disputeWarranty, fields: reason, told: 'order.disputeWarranty.about' }),
  refuse: said({ act: 'refuse', call: orderCalls.refuse, fields: [...reason, ...back] }),
  repaired: said({
    act: 'repaired',
    call: orderCalls.repaired,
    fields: [{ name: 'workDone', label: 'order.workDone', kind: 'area', wide: true }, ...back],
  }),
};
