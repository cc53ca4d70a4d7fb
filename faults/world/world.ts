import type { Random } from '@mooring/terminal/random';
import type pg from 'pg';
import type { Console } from './console.ts';
import type { Database } from './database.ts';
import type { Developer } from './developer.ts';
import type { Fleets } from './fleets.ts';
import type { KeptProcess } from './kept-process.ts';
import type { Line } from './line.ts';
import type { Onlooker } from './onlooker.ts';

/** `alone`: one process with all in it. `two`: two servers on an outside PostgreSQL, Mosquitto and an object store. */
export const worldKinds = ['alone', 'two'] as const;
export type WorldKind = (typeof worldKinds)[number];

export interface Server {
  readonly process: KeptProcess;
  readonly url: string;
  /** Of its broker, where that is its own. */
  readonly ports: { readonly mqtt: number; readonly mqttTls: number };
}
export interface World {
  readonly kind: WorldKind;
  readonly random: Random;
  readonly servers: readonly Server[];
  /** What people and terminals reach them by. */
  readonly url: string;
  readonly lines: { readonly http: Line; readonly mqtt: Line };
  readonly database: Database;
  /** The broker of its own, where it has one: in the other world it is a part of the server. */
  readonly broker: { kill(): Promise<void>; readonly pid: () => number | undefined } | undefined;
  readonly store: KeptProcess | undefined;
  /** The disk of the data folder, where this account may make one of its own. */
  readonly disk: { fill(): void; free(): void } | undefined;
  readonly fleets: Fleets;
  readonly console: Console;
  readonly onlooker: Onlooker;
  readonly productId: number;
  readonly developer: Developer;
  /** Of an upload, as the store wants it. */
  readonly partBytes: number;
  /** Blobs by their digest, past the server. */
  databaseUrl(): string;
  readonly blob: (sha256: string) => Promise<Buffer | undefined>;
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Lets everything come back that a fault took away. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}
