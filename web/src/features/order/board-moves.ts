import { heldUpBy } from '@mooring/contract/order/hold-up';
import { orderMachine } from '@mooring/contract/order/state-machines';
import { allows } from '../../kit/allows.ts';
import type { TextKey } from '../../ui/words.ts';
import type { Row } from './order-cells.tsx';

type State = keyof typeof orderMachine.states;
type Step = keyof typeof orderMachine.events;
type Moved = Pick<Row, 'state' | 'side' | 'diagnosis' | 'costs' | 'warranty'>;

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

/** Why an order can't be moved to a column. */
export function whyNot(row: Moved, to: State): TextKey {
  const [step] = leading(row, to);
  if (step === undefined) return 'order.board.notNext';
  // Whoever may enter a diagnosis is who repairs, also where they act for both sides.
  const serves = row.side === 'service' || allows(row, 'quote');
  const held = step === 'diagnose' && serves ? heldUpBy(row) : undefined;
  if (held) return `fault.${held}`;
  const isTheirs = step === 'cancel' ? false : (step === 'delivered') === (row.side === 'service');
  return isTheirs ? 'fault.ORDER_SIDE' : 'fault.FORBIDDEN';
}
