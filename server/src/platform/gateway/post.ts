import type { Due } from './outbox.ts';

/** Hands messages on that are committed and noted as sent already. */
export type Carrier = (due: readonly Due[]) => void;

/** Where a process gives messages that it may send itself, without their being looked up again. Closed where it has no gateway. */
export interface Post {
  readonly carrier: () => Carrier | undefined;
  /** Answers how it is closed again. */
  open(carrier: Carrier): () => void;
}

export function openPost(): Post {
  let carriers: Carrier[] = [];
  return {
    carrier: () => carriers.at(-1),
    open(carrier) {
      carriers.push(carrier);
      return () => {
        carriers = carriers.filter((one) => one !== carrier);
      };
    },
  };
}
