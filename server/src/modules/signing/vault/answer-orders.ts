import { Fault } from '@mooring/contract/kit/fault';
import type { Order, Reply } from './protocol.ts';

type Acts = Readonly<Record<string, (of: never) => Promise<unknown>>>;

async function answer(acts: Acts, id: number, act: string, of: unknown): Promise<Reply> {
  try {
    return { id, value: await acts[act]?.(of as never) };
  } catch (error) {
    if (!(error instanceof Fault)) return { id, failed: true };
    return { id, fault: error.fault, field: Object.keys(error.fields ?? {})[0], params: error.params };
  }
}

/** The life of a child process: its first message is taken by `begin`, all others are acts. */
export function answerOrders<B extends object>(acts: Acts, begin: (of: B) => void): void {
  process.on('message', (order: Order<B>) => {
    if ('begin' in order) {
      begin(order.begin);
      return;
    }
    void answer(acts, order.id, order.act, order.of).then((reply) => process.send?.(reply));
  });
  // The server is gone, or has let go: nobody is left to sign for.
  process.on('disconnect', () => process.exit(0));
}
