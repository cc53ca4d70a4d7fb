import type { BrokerOptions, EmbeddedBroker } from './broker.ts';

/**
 * A broker of our own. In a thread of its own, no page of the console waits while thousands of terminals speak, shake hands or come back at
 * once (docs/adr/0015); it costs a fifth of a small server's memory, so a small fleet is served by the same thread as all else.
 */
export const startEmbeddedBroker = async (options: BrokerOptions, inThread: boolean): Promise<EmbeddedBroker> =>
  inThread ? (await import('./broker-thread.ts')).openBrokerThread(options) : (await import('./broker.ts')).openBroker(options);
