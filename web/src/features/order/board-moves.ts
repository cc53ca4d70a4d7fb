import { heldUpBy } from '@mooring/contract/order/hold-up';
import { hasArrived, orderMachine } from '@mooring/contract/order/state-machines';
import { allows } from '../../kit/allows.ts';
import type { TextKey } from '../../ui/words.ts';
import type { Row } from './order-cells.tsx';

type State = keyof typeof orderMachine.states;
type Step = keyof typeof orderMachine.events;
type Moved = Pick<Row, 'state' | 'side' | 'diagnosis' | 'costs' | 'warranty' | 'outCarrier' | 'outNumber'>;

/** Steps that lead from where an order stands to a column; what most often comes next stands first. */
const steps: readonly Step[] = [
  'accept',
  'receive',
  'unreceive',
  'diagnose',
  'repaired',
  'replace',
  'refuse',
  'delivered',
  'closeReturn',
  'cancel',
  'decline',
];
const leading = ({ state }: Pick<Row, 'state'>, to: State) =>
  steps.filter((step) => {
    const event = orderMachine.events[step];
    return (event.to as readonly string[]).includes(to) && (event.from as readonly string[]).includes(state);
  });

/** The steps to a column that are this person's to take now. */
export const movesTo = (row: Moved, to: State): readonly Step[] => leading(row, to).filter((act) => allows(row, act));

/** Whose step it is; what nobody may do any more is no side's. */
function isOwn(row: Moved, step: Step): boolean {
  if (step === 'cancel') return hasArrived(row) || row.side === 'customer';
  // Whoever may name an engineer is of the service partner, also where they act for both sides.
  return step === 'delivered' ? row.side === 'customer' : row.side === 'service' || allows(row, 'assign');
}

/** What stands in the way of a step, whoever takes it. */
function inTheWay(row: Moved, step: Step): TextKey | undefined {
  switch (step) {
    case 'diagnose': {
      const held = heldUpBy(row);
      return held && `fault.${held}`;
    }
    case 'unreceive':
      return row.diagnosis !== '' || row.warranty !== 'none' || row.costs !== 'none' ? 'fault.ORDER_DIAGNOSED' : undefined;
    case 'decline':
      return row.outCarrier !== '' || row.outNumber !== '' ? 'fault.ORDER_SENT' : undefined;
    case 'cancel':
      return hasArrived(row) ? 'fault.ORDER_ARRIVED' : undefined;
    case 'closeReturn':
      // The server says from when on; whoever may do all else with a return only has to wait.
      return allows(row, 'assign') ? 'fault.ORDER_RETURN_EARLY' : undefined;
    default:
      return undefined;
  }
}

/** Why an order can't be moved to a column. */
export function whyNot(row: Moved, to: State): TextKey {
  const found = leading(row, to);
  if (found.length === 0) return 'order.board.notNext';
  const own = found.filter((step) => isOwn(row, step));
  if (own.length === 0) return 'fault.ORDER_SIDE';
  return own.map((step) => inTheWay(row, step)).find((reason) => reason !== undefined) ?? 'fault.FORBIDDEN';
}
