import type { Socket } from 'node:net';
import { ackedKinds, readTopic, type UpKind } from '@mooring/contract/device/topics';
import type { Client } from 'aedes';

/** How long the broker's word for a message waits for ours. */
const HOLD_MS = 250;

const isAnswered = (topic: string) => ackedKinds.includes(readTopic(topic)?.kind as UpKind);

/**
 * As TCP does with its own: the PUBACK for a message that we answer waits a moment, and leaves with that answer or with whatever is said to
 * the terminal before. One write instead of two for each message of a crowd.
 */
export function holdingBack() {
  const held = new Map<Client, NodeJS.Timeout>();
  const release = (client: Client) => {
    clearTimeout(held.get(client));
    if (held.delete(client)) (client.conn as Socket).uncork();
  };
  return {
    hold(client: Client, topic: string) {
      if (held.has(client) || !isAnswered(topic)) return;
      (client.conn as Socket).cork();
      held.set(client, setTimeout(release, HOLD_MS, client));
    },
    release,
  };
}
