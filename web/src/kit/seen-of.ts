import type { Call } from '@mooring/contract/kit/call';

const takesRevision = ({ input }: Call) => 'revision' in ((input as { shape?: object }).shape ?? {});

/** The row as it was seen: its id, and its revision where the call would refuse to act on another one. */
export function seenOf(call: Call, row: unknown): { id: unknown; revision?: unknown } {
  const { id, revision } = row as { id: unknown; revision?: unknown };
  return takesRevision(call) && revision !== undefined ? { id, revision } : { id };
}
