import { isFree, orderCostMachine, orderWarrantyMachine } from '@mooring/contract/order/state-machines';
import { centsOf } from '@mooring/contract/shared/money';
import type { ReactNode } from 'react';
import { StateTag } from '../../kit/state-tag.tsx';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import type { Row } from './order-cells.tsx';
import '../../kit/parts/parts.css';
import './order.css';

function Panel({ title, note, children }: { title: TextKey; note?: ReactNode; children: ReactNode }) {
  const t = useT();
  return (
    <section className="m-panel">
      <div className="m-panel-head">
        <h2 className="m-grow">{t(title)}</h2>
        {note}
      </div>
      <div className="m-panel-body m-stack">{children}</div>
    </section>
  );
}

/** What was used and what it costs, line by line. */
function Costs({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  const { total } = row;
  if (total === 0 && row.parts.length === 0) return null;
  const money = (cents: number) => format.money(cents / 100, row.currency);
  return (
    <div className="m-stack-tight">
      {row.parts.map(({ name, quantity, price }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        <div key={at} className="m-row m-order-between">
          <span>
            {format.number(quantity)} × {name}
          </span>
          <span>{price === '' ? '–' : money(quantity * centsOf(price))}</span>
        </div>
      ))}
      {row.labour === '' ? null : (
        <div className="m-row m-order-between">
          <span>{t('order.labour')}</span>
          <span>{money(centsOf(row.labour))}</span>
        </div>
      )}
      <div className="m-row m-order-between m-order-total">
        <span>{t('order.total')}</span>
        <span>{money(total)}</span>
      </div>
      {isFree(row) ? <p className="m-muted m-small">{t('order.repair.free')}</p> : null}
    </div>
  );
}

function Said({ title, text }: { title: TextKey; text: string }) {
  const t = useT();
  if (text === '') return null;
  return (
    <div>
      <div className="m-muted m-small">{t(title)}</div>
      <div className="m-said">{text}</div>
    </div>
  );
}

/** What the partner says of the warranty, and whether the other side agrees. */
function Decision({ row }: { row: Row }) {
  const t = useT();
  if (row.warranty === 'none') return null;
  return (
    <div>
      <div className="m-muted m-small">{t('order.warrantyDecision')}</div>
      <StateTag machine={orderWarrantyMachine} code={row.warranty} />
      {row.warrantyReason === '' ? null : <div className="m-said">{row.warrantyReason}</div>}
    </div>
  );
}

export function Repair({ row }: { row: Row }) {
  const t = useT();
  const isKnown = row.diagnosis !== '';
  return (
    <Panel title="order.repair" note={row.costs === 'none' ? null : <StateTag machine={orderCostMachine} code={row.costs} />}>
      {isKnown ? null : <p className="m-muted">{t('order.repair.none')}</p>}
      <Said title="order.diagnosis" text={row.diagnosis} />
      <Decision row={row} />
      <Costs row={row} />
      <Said title="order.workDone" text={row.workDone} />
      <Said title="order.reason" text={row.reason} />
    </Panel>
  );
}

export function Shipping({ row }: { row: Row }) {
  const t = useT();
  const ways = [
    ['order.shipping.out', row.outCarrier, row.outNumber],
    ['order.shipping.back', row.backCarrier, row.backNumber],
  ] as const;
  return (
    <Panel title="order.shipping">
      {ways.map(([title, carrier, number]) => (
        <div key={title}>
          <div className="m-muted m-small">{t(title)}</div>
          {carrier === '' && number === '' ? (
            <span className="m-muted">{t('order.shipping.none')}</span>
          ) : (
            <span>
              {carrier} <bdi className="m-mono">{number}</bdi>
            </span>
          )}
        </div>
      ))}
    </Panel>
  );
}

export function Described({ row }: { row: Row }) {
  if (row.description === '' && row.photos.length === 0) return null;
  return (
    <Panel title="order.description">
      {row.description === '' ? null : <div className="m-said">{row.description}</div>}
      {row.photos.length === 0 ? null : (
        <ul className="m-photos">
          {row.photos.map((id) => (
            <li key={id}>
              <StoredPicture id={id} className="m-photo" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
