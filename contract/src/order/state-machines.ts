import { machine } from '../kit/state-machine.ts';

/** A terminal on its way to be repaired and back. */
export const orderMachine = machine('order', {
  initial: 'created',
  states: {
    created: { tone: 'wait', about: 'The service partner has to accept it.' },
    accepted: { tone: 'away', about: 'The service partner expects the terminal.' },
    received: { tone: 'busy', about: 'The terminal is with the service partner, who looks for the fault.' },
    repairing: { tone: 'busy', about: 'The terminal is being repaired.' },
    returning: { tone: 'away', about: 'The terminal, or the one that replaces it, is on its way back.' },
    closed: { tone: 'good', about: 'The terminal is back.' },
    cancelled: {
      tone: 'ended',
      about: 'It was cancelled or declined before the terminal arrived, or because one of the two sides is no more.',
    },
  },
  events: {
    accept: { from: ['created'], to: 'accepted' },
    cancel: { from: ['created', 'accepted', 'received', 'repairing', 'returning'], to: 'cancelled' },
    decline: { from: ['created', 'accepted'], to: 'cancelled' },
    receive: { from: ['accepted'], to: 'received' },
    unreceive: { from: ['received'], to: 'accepted' },
    diagnose: { from: ['received'], to: 'repairing' },
    interrupt: { from: ['repairing'], to: 'received' },
    refuse: { from: ['received', 'repairing'], to: 'returning' },
    repaired: { from: ['repairing'], to: 'returning' },
    replace: { from: ['repairing'], to: 'returning' },
    delivered: { from: ['returning'], to: 'closed' },
    closeReturn: { from: ['returning'], to: 'closed' },
  },
});

/** From then on it is no order to cancel: the terminal is with the other side, or on its way back. */
export const hasArrived = ({ state }: { readonly state: string }): boolean => ['received', 'repairing', 'returning'].includes(state);

/** After so many days on its way back the service partner may close an order whose delivery nobody has confirmed. */
export const RETURN_DAYS = 14;
/** From when on it may. */
export const closableFrom = (returnedAt: Date | string): Date => new Date(new Date(returnedAt).getTime() + RETURN_DAYS * 86_400_000);

/** Whether who ordered agrees to pay: asked where no warranty covers the repair. */
export const orderCostMachine = machine('orderCost', {
  initial: 'none',
  states: {
    none: { tone: 'idle', about: 'Nothing is to be paid, or nobody knows yet what.' },
    asked: { tone: 'wait', about: 'The costs wait for approval.' },
    approved: { tone: 'good', about: 'The costs are approved; the repair may begin.' },
    refused: { tone: 'bad', about: 'The costs were declined: new ones may be offered, or the terminal goes back unrepaired.' },
  },
  events: {
    ask: { from: ['none', 'asked', 'approved', 'refused'], to: 'asked' },
    waive: { from: ['asked', 'approved', 'refused'], to: 'none' },
    approve: { from: ['asked'], to: 'approved' },
    decline: { from: ['asked'], to: 'refused' },
  },
});

/** What the service partner says of the warranty: who ordered may dispute that none covers the repair, and the repair waits until they agree. */
export const orderWarrantyMachine = machine('orderWarranty', {
  initial: 'none',
  states: {
    none: { tone: 'idle', about: 'The service partner has said nothing of it; the warranty on record counts.' },
    covered: { tone: 'good', about: 'The service partner says that warranty covers the repair.' },
    denied: { tone: 'wait', about: 'The service partner says that no warranty covers the repair; who ordered accepts or disputes that.' },
    accepted: { tone: 'idle', about: 'Both sides agree that no warranty covers the repair.' },
    disputed: { tone: 'bad', about: 'Who ordered disputes it: the service partner states it anew, or sends the terminal back unrepaired.' },
  },
  events: {
    cover: { from: ['none', 'covered', 'denied', 'accepted', 'disputed'], to: 'covered' },
    deny: { from: ['none', 'covered', 'denied', 'accepted', 'disputed'], to: 'denied' },
    accept: { from: ['denied'], to: 'accepted' },
    dispute: { from: ['denied'], to: 'disputed' },
  },
});

interface Warranty {
  readonly warranty: string;
  readonly inWarranty: boolean;
}
/** Whether a repair costs nothing: what the partner says counts, and the record where it says nothing. */
export const isFree = ({ warranty, inWarranty }: Warranty): boolean => (warranty === 'none' ? inWarranty : warranty === 'covered');

/** Of an order that is over nothing is owed any more. */
export const overStates = ['closed', 'cancelled'] as const;
