import type { ServerResponse } from 'node:http';

/** Once the answer is over, sent or broken off; at once where that was before: its event comes only once. */
export function whenClosed(response: ServerResponse, act: () => void): void {
  if (response.closed) act();
  else response.once('close', act);
}
