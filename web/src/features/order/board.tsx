import {
  DndContext,
  type DragEndEvent,
  type DragStartEvent,
  PointerSensor,
  pointerWithin,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { CSS } from '@dnd-kit/utilities';
import { FAULTS, orderCalls } from '@mooring/contract/order/calls';
import { closableFrom, orderMachine, RETURN_DAYS } from '@mooring/contract/order/state-machines';
import { createContext, use, useMemo, useState } from 'react';
import { DictLabel } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { FilterBar, SearchBox } from '../../kit/list/filter-bar.tsx';
import { valuesOf } from '../../kit/list/list-url.ts';
import { type RowActs, RowMenu, useRowActs } from '../../kit/list/row-acts.tsx';
import type { RowAction } from '../../kit/list/types.ts';
import { useFiltering } from '../../kit/list/use-filtering.ts';
import { useCall } from '../../kit/queries.ts';
import { StateTag, useStateName } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { orderActs } from './acts.tsx';
import { movesTo, whyNot } from './board-moves.ts';
import { Due, orderPath, type Row } from './order-cells.tsx';
import { orderList } from './orders.tsx';
import './order.css';

type State = keyof typeof orderMachine.states;
type Criteria = NonNullable<Parameters<typeof useCall<typeof orderCalls.page>>[1]['criteria']>;
const states = Object.keys(orderMachine.states) as State[];
/** What is over isn't shown until it is asked for. */
const open: readonly State[] = states.filter((state) => state !== 'closed' && state !== 'cancelled');
const SHOWN = 20;

interface Moving {
  readonly row: Row | undefined;
  readonly start: RowActs<Row>['start'];
}
const Moves = createContext<Moving>({ row: undefined, start: () => undefined });

function Card({ row }: { row: Row }) {
  const { start } = use(Moves);
  const { listeners, setNodeRef, transform, isDragging } = useDraggable({ id: row.id, data: { row } });
  return (
    <li
      ref={setNodeRef}
      className={`m-order-card${isDragging ? ' m-order-dragged' : ''}`}
      style={{ transform: CSS.Translate.toString(transform) ?? '' }}
      // The link in it would be dragged as an address.
      onDragStart={(event) => event.preventDefault()}
      {...listeners}
    >
      <span className="m-row m-order-between">
        <Link to={orderPath(row)} className="m-mono m-order-link">
          {row.number}
        </Link>
        <RowMenu actions={orderActs} row={row} name={row.number} start={start} />
      </span>
      <span className="m-row m-order-between">
        <DictLabel type={FAULTS} value={row.fault} />
        {row.dueOn === null ? null : <Due row={row} />}
      </span>
      <span className="m-small m-muted m-clip">
        <bdi className="m-mono">{row.sn}</bdi> · {row.side === 'customer' ? row.partnerName : row.deptName}
      </span>
    </li>
  );
}

/** Cards from a row on; those after them when they are asked for. */
function Cards({ criteria, after }: { criteria: Criteria; after?: string }) {
  const t = useT();
  const [more, setMore] = useState(false);
  // The oldest first: it waits the longest.
  const page = { size: SHOWN, sort: 'createdAt', order: 'asc', ...(after === undefined ? {} : { after }) } as const;
  const asked = useCall(orderCalls.page, { criteria, page }, { keep: true });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={72} />
      </Loading>
    );
  const { content, next, total } = asked.data;
  // One that has just gone on to another column stands there alone, before this one is asked for again.
  const ofColumn = (row: Row) => row.state === criteria.state;
  if (total === 0 && after === undefined) return <p className="m-muted m-small">{t('order.board.none')}</p>;
  return (
    <>
      <ul className="m-plain-list m-stack-tight">
        {content.filter(ofColumn).map((row) => (
          <Card key={row.id} row={row} />
        ))}
      </ul>
      {next === null ? null : more ? (
        <Cards criteria={criteria} after={next} />
      ) : (
        <Button small onClick={() => setMore(true)}>
          {t('order.board.more')}
        </Button>
      )}
    </>
  );
}

/** How many there are, counted up to a bound by their index. */
function Count({ criteria }: { criteria: Criteria }) {
  const format = useFormat();
  const { data } = useCall(orderCalls.page, { criteria, page: { size: SHOWN, sort: 'createdAt', order: 'asc' } }, { keep: true });
  return data ? <span className="m-tag m-tag-plain">{`${format.number(data.total)}${data.capped ? '+' : ''}`}</span> : null;
}

function Column({ state, chosen }: { state: State; chosen: Criteria }) {
  const { row } = use(Moves);
  const { setNodeRef, isOver } = useDroppable({ id: state });
  const name = useStateName()(orderMachine, state);
  const criteria = useMemo(() => ({ ...chosen, state }), [chosen, state]);
  const takes = row && row.state !== state && movesTo(row, state).length > 0;
  return (
    <section
      ref={setNodeRef}
      aria-label={name}
      className={`m-order-column${takes ? ' m-order-takes' : ''}${isOver && takes ? ' m-order-over' : ''}`}
    >
      <h2 className="m-row">
        <StateTag machine={orderMachine} code={state} />
        <Count criteria={criteria} />
      </h2>
      <Cards key={JSON.stringify(criteria)} criteria={criteria} />
    </section>
  );
}

/** More than one step leads there: whoever moves it says which. */
function Which({ row, acts, start, onClose }: { row: Row; acts: readonly RowAction<Row>[]; start: Moving['start']; onClose: () => void }) {
  const t = useT();
  const choose = (act: RowAction<Row>) => {
    onClose();
    start(act, row);
  };
  return (
    <Dialog open title={t('order.board.which', { name: row.number })} onClose={onClose}>
      <div className="m-stack-tight">
        {acts.map((act) => (
          <Button key={act.key} onClick={() => choose(act)}>
            {t(act.label)}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function useMoves(start: Moving['start']) {
  const t = useT();
  const format = useFormat();
  const stateName = useStateName();
  const [row, setRow] = useState<Row>();
  const [asked, setAsked] = useState<{ row: Row; acts: readonly RowAction<Row>[] }>();
  const take = ({ active }: DragStartEvent) => setRow(active.data.current?.row as Row);
  const refuse = (moved: Row, to: State) => {
    const places = { name: moved.number, from: stateName(orderMachine, moved.state), to: stateName(orderMachine, to) };
    const date = moved.returnedAt === null ? '' : format.moment(closableFrom(moved.returnedAt).toISOString(), 'date', 'UTC');
    toast('warning', t(whyNot(moved, to), { ...places, days: RETURN_DAYS, date }));
  };
  const drop = ({ over }: DragEndEvent) => {
    setRow(undefined);
    const to = states.find((state) => state === over?.id);
    if (!row || to === undefined || to === row.state) return;
    const acts = movesTo(row, to).flatMap((step) => orderActs.find(({ key }) => key === step) ?? []);
    const [first, ...more] = acts;
    if (first === undefined) refuse(row, to);
    else if (more.length > 0) setAsked({ row, acts });
    else start(first, row);
  };
  const which = asked ? <Which {...asked} start={start} onClose={() => setAsked(undefined)} /> : null;
  return { row, take, drop, which, stop: () => setRow(undefined) };
}

/** What is under way, by its state, under the filters of the list: moved on with the mouse, or by the menu of its card. */
export function Board() {
  const t = useT();
  const filtering = useFiltering<typeof orderCalls.page, typeof orderList>(orderList);
  const { start, dialog } = useRowActs<Row>(({ number }) => number);
  const moves = useMoves(start);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }));
  const { state: wanted, ...chosen } = filtering.chosen;
  const shown = states.filter((state) => (wanted === undefined ? open.includes(state) : valuesOf(wanted).includes(state)));
  const { search } = orderList;
  return (
    <div className="m-stack">
      <div className="m-panel m-toolbar">
        <div className="m-filters">
          {search ? <SearchBox list={filtering} field={search.field} hint={t(search.hint)} /> : null}
          <FilterBar list={filtering} />
        </div>
      </div>
      <Moves value={{ row: moves.row, start }}>
        <DndContext
          sensors={sensors}
          collisionDetection={pointerWithin}
          onDragStart={moves.take}
          onDragEnd={moves.drop}
          onDragCancel={moves.stop}
        >
          <div className="m-order-board">
            {shown.map((state) => (
              <Column key={state} state={state} chosen={chosen as Criteria} />
            ))}
          </div>
        </DndContext>
      </Moves>
      {moves.which}
      {dialog}
    </div>
  );
}
