import type { Call } from '@mooring/contract/kit/call';
import { orderCalls } from '@mooring/contract/order/calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { bind } from '../../kit/bind-page.ts';
import { download } from '../../kit/downloads.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { FieldSpec } from '../../kit/form/types.ts';
import { useRowActs } from '../../kit/list/row-acts.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { PartsControl } from '../../kit/parts/parts-control.tsx';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import { ForOrder, useEngineers, useReplacements } from './offered.ts';
import { type Row, totalOf } from './order-cells.tsx';

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
      initial={{ id: row.id, ...initial } as never}
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
      initial={{ diagnosis: row.diagnosis, currency: row.currency, parts: row.parts, labour: row.labour }}
      fields={[
        { name: 'diagnosis', label: 'order.diagnosis', kind: 'area', wide: true },
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
  readonly act: 'cancel' | 'declineCosts' | 'refuse' | 'repaired';
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

const dialogs = {
  accept: bind<Assigns, Doing>(Assigning, { act: 'accept', call: orderCalls.accept }),
  assign: bind<Assigns, Doing>(Assigning, { act: 'assign', call: orderCalls.assign }),
  quote: Quoting,
  ship: Shipping,
  replace: Replacing,
  cancel: said({ act: 'cancel', call: orderCalls.cancel, fields: reason, told: 'order.cancel.about' }),
  declineCosts: said({ act: 'declineCosts', call: orderCalls.declineCosts, fields: reason }),
  refuse: said({ act: 'refuse', call: orderCalls.refuse, fields: [...reason, ...back] }),
  repaired: said({
    act: 'repaired',
    call: orderCalls.repaired,
    fields: [{ name: 'workDone', label: 'order.workDone', kind: 'area', wide: true }, ...back],
  }),
};
type Dialogued = keyof typeof dialogs;

/** What comes next stands first. */
const ORDER = [
  'accept',
  'receive',
  'approveCosts',
  'declineCosts',
  'diagnose',
  'quote',
  'repaired',
  'replace',
  'delivered',
  'ship',
  'assign',
  'update',
  'refuse',
  'cancel',
  'document',
  'print',
] as const;
const OPEN = 2;
const dangers: readonly string[] = ['refuse', 'cancel'];
const papers: readonly string[] = ['document', 'print'];

/** What this side may do now: the next step as a button that stands out, another one beside it, the rest in a menu. */
export function OrderActs({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  const acts = useRowActs<Row>((one) => one.number);
  const [doing, setDoing] = useState<Dialogued>();
  const said = { sn: row.sn, total: format.money(totalOf(row) / 100, row.currency) };
  const plain = {
    receive: rowAction<Row, typeof orderCalls.receive>(orderCalls.receive, { label: 'order.receive', successText: 'order.receive.done' }),
    diagnose: rowAction<Row, typeof orderCalls.diagnose>(orderCalls.diagnose, {
      label: 'order.diagnose',
      successText: 'order.diagnose.done',
    }),
    approveCosts: rowAction<Row, typeof orderCalls.approveCosts>(orderCalls.approveCosts, {
      label: 'order.approveCosts',
      successText: 'order.approveCosts.done',
      input: (one) => ({ id: one.id, total: totalOf(one), currency: one.currency }),
      confirm: { text: () => t('order.approveCosts.about', said) },
    }),
    delivered: rowAction<Row, typeof orderCalls.delivered>(orderCalls.delivered, {
      label: 'order.delivered',
      successText: 'order.delivered.done',
      confirm: { text: () => t('order.delivered.about', { sn: row.replacementSn || row.sn }) },
    }),
  };
  const start = (act: (typeof ORDER)[number]) => {
    if (act === 'print') window.print();
    else if (act === 'document') download(orderCalls.document, { id: row.id }, `${row.number}.pdf`);
    else if (act === 'update') go(`/orderEdit/${row.id}`);
    else if (act in plain) acts.start(plain[act as keyof typeof plain], row);
    else setDoing(act as Dialogued);
  };
  const label = (act: (typeof ORDER)[number]) =>
    t(act === 'update' ? 'order.edit' : act === 'quote' && row.diagnosis !== '' ? 'order.quote.again' : `order.${act}`);
  const shown = ORDER.filter((act) => papers.includes(act) || allows(row, act));
  const open = shown.filter((act) => !dangers.includes(act) && !papers.includes(act)).slice(0, OPEN);
  const rest = shown.filter((act) => !open.includes(act));
  const Dialog = doing ? dialogs[doing] : undefined;
  return (
    <>
      {open.map((act, at) => (
        <Button key={act} look={at === 0 ? 'primary' : 'default'} onClick={() => start(act)}>
          {label(act)}
        </Button>
      ))}
      {rest.length > 0 ? (
        <MenuButton
          align="end"
          items={rest.map((act) => ({ key: act, label: label(act), danger: dangers.includes(act), onClick: () => start(act) }))}
        >
          <Button icon="more" of={row.number}>
            {t('kit.more')}
          </Button>
        </MenuButton>
      ) : null}
      {Dialog ? <Dialog row={row} onClose={() => setDoing(undefined)} /> : null}
      {acts.dialog}
    </>
  );
}
