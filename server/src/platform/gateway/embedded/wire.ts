import type { Config } from '../../config/config.ts';
import type { Admission, Presented } from '../identity.ts';
import type { Refused } from '../message.ts';
import type { BrokerOptions } from './broker.ts';

/** What the broker's thread is begun with. */
export interface Setting {
  readonly broker: Omit<BrokerOptions, 'admit' | 'intake' | 'here'>;
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logLevel: string;
}

/** Until when a device is present. */
export type Lease = readonly [device: number, untilMs: number];

/** What the broker tells the house. Payloads are bytes, one character each: a view of a buffer would be copied with all that surrounds it. */
export type Up =
  | readonly [kind: 'message', topic: string, payload: string]
  | readonly [kind: 'here' | 'gone', sn: string]
  | readonly [kind: 'taken', messages: number, leases: readonly Lease[]]
  | readonly [kind: 'refused', refused: Omit<Refused, 'payload'>, payload: string]
  | readonly [kind: 'guarded', sn: string, what: string]
  | readonly [kind: 'admit', id: number, presented: Presented]
  | readonly [kind: 'ready', port: number, tlsPort: number | undefined]
  | readonly [kind: 'failed', message: string, about: { readonly code?: string; readonly port?: number }]
  | readonly [kind: 'cut', id: number];

/** What the server tells the broker. */
export type Down =
  | readonly [kind: 'send', sn: string, kind: string, payload: string]
  | readonly [kind: 'admitted', id: number, admission: Admission | undefined]
  | readonly [kind: 'room', messages: number]
  | readonly [kind: 'cut', id: number, sn: string]
  | readonly [kind: 'stop'];

interface End {
  postMessage(value: unknown): void;
}

/** Says all of one turn of the event loop in one message. */
export function gathering<T>(end: End): (one: T) => void {
  let gathered: T[] = [];
  const post = () => {
    const all = gathered;
    gathered = [];
    end.postMessage(all);
  };
  return (one) => {
    if (gathered.push(one) === 1) setImmediate(post);
  };
}
