import { FAULTS, orderCalls } from '@mooring/contract/order/calls';
import { orderMachine } from '@mooring/contract/order/state-machines';
import { DictLabel } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Bone, Loading } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Due, orderPath, type Row } from './order-cells.tsx';
import './order.css';

const open = ['created', 'accepted', 'received', 'repairing', 'returning'] as const;
const SHOWN = 20;

const Card = ({ row }: { row: Row }) => (
  <li>
    <Link to={orderPath(row)} className="m-order-card">
      <span className="m-row m-order-between">
        <strong className="m-mono">{row.number}</strong>
        {row.dueOn === null ? null : <Due row={row} />}
      </span>
      <span>
        <DictLabel type={FAULTS} value={row.fault} />
      </span>
      <span className="m-small m-muted m-clip">
        <bdi className="m-mono">{row.sn}</bdi> · {row.side === 'customer' ? row.partnerName : row.deptName}
      </span>
    </Link>
  </li>
);

function Column({ state }: { state: (typeof open)[number] }) {
  const t = useT();
  const format = useFormat();
  // The oldest first: it waits the longest.
  const asked = useCall(orderCalls.page, { criteria: { state }, page: { size: SHOWN, sort: 'createdAt', order: 'asc' } }, { keep: true });
  const page = asked.data;
  return (
    <section className="m-order-column">
      <h2 className="m-row">
        <StateTag machine={orderMachine} code={state} />
        {page ? <span className="m-tag m-tag-plain">{`${format.number(page.total)}${page.capped ? '+' : ''}`}</span> : null}
      </h2>
      {asked.error ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : null}
      {page === undefined && !asked.error ? (
        <Loading>
          <Bone height={72} />
        </Loading>
      ) : null}
      <ul className="m-plain-list m-stack-tight">
        {(page?.content ?? []).map((row) => (
          <Card key={row.id} row={row} />
        ))}
      </ul>
      {page && page.total > SHOWN ? <Link to={`/ordersList?state=${state}`}>{t('order.board.all')}</Link> : null}
      {page?.total === 0 ? <p className="m-muted m-small">{t('order.board.none')}</p> : null}
    </section>
  );
}

/** What is under way, by its state. */
export const Board = () => (
  <div className="m-order-board">
    {open.map((state) => (
      <Column key={state} state={state} />
    ))}
  </div>
);
