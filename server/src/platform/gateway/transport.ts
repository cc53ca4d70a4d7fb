import type { Buffer } from 'node:buffer';
import type { Refused } from './message.ts';

/** What a transport hands in. A returned promise holds the sender back until there is room (back-pressure). */
export interface Intake {
  message(topic: string, payload: Buffer): void | Promise<void>;
  /** A connection of this terminal ended; its lease is shortened. Only transports that see connections say so. */
  gone(sn: string): void;
  /** So many messages were taken where they came in. */
  taken(messages: number): void;
  /** One that couldn't be was refused there. */
  refused(refused: Refused): void;
  /** The guard refused something: topic of another terminal, wildcard, $SYS, size, wrong identity. */
  guarded(sn: string, what: string): void;
}

/** One way for terminals to be in contact. Our MQTT protocol over a broker is the first; other people's clients are further ones. */
export interface Transport {
  readonly name: string;
  /** True when it was handed on; whether it arrived only an answer tells. */
  send(sn: string, kind: string, payload: string): boolean;
  /** Ends the live connection of a terminal. */
  cut(sn: string): Promise<void>;
  /** Open connections, where the transport sees them. */
  connections(): number;
  stop(): Promise<void>;
}
