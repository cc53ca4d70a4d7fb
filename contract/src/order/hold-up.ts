/** What of an order decides whether its repair may begin. */
interface Agreed {
  readonly diagnosis: string;
  readonly warranty: string;
  readonly costs: string;
}

type HeldUp = 'ORDER_DIAGNOSIS' | 'ORDER_WARRANTY_OPEN' | 'ORDER_WARRANTY' | 'ORDER_COSTS';

/** What holds a repair up, as the fault that says so: nothing is repaired before both sides agree on its warranty and its costs. */
export function heldUpBy({ diagnosis, warranty, costs }: Agreed): HeldUp | undefined {
  if (diagnosis === '') return 'ORDER_DIAGNOSIS';
  // Whoever declined the costs has answered: it is the partner's turn to say something else.
  if (warranty === 'denied' && costs !== 'refused') return 'ORDER_WARRANTY_OPEN';
  if (warranty === 'disputed') return 'ORDER_WARRANTY';
  return costs === 'asked' || costs === 'refused' ? 'ORDER_COSTS' : undefined;
}
