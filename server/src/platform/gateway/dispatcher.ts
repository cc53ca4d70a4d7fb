import type { Due } from './outbox.ts';

/** Hands messages on that are committed and noted as sent already. */
export type Dispatch = (due: readonly Due[]) => void;

/** Where a process gives messages that it may send itself, without their being looked up again. Closed where it has no gateway. */
export interface Dispatcher {
  readonly dispatch: () => Dispatch | undefined;
  /** Answers how it is closed again. */
  open(dispatch: Dispatch): () => void;
}

export function createDispatcher(): Dispatcher {
  let dispatches: Dispatch[] = [];
  return {
    dispatch: () => dispatches.at(-1),
    open(dispatch) {
      dispatches.push(dispatch);
      return () => {
        dispatches = dispatches.filter((one) => one !== dispatch);
      };
    },
  };
}
