/** One terminal's way in: a token on a plain connection, a certificate on TLS, or neither at a broker that asks for nothing. */
export interface Credential {
  readonly sn: string;
  readonly token?: string;
  readonly cert?: string;
}
/** What one process of terminals is to do; written to a file, since a process's messages are no place for megabytes. */
export interface Plan {
  readonly protocol: 'mqtt' | 'nats';
  readonly port: number;
  /** A loopback address of its own, so that ports never run short. */
  readonly source: string;
  readonly terminals: readonly Credential[];
  readonly tls?: { readonly ca: string; readonly key: string };
  /** Under way at once while connecting. */
  readonly atOnce: number;
  /** Says what it is once it is connected, as terminals do. */
  readonly hello: boolean;
  /** Moments are told as milliseconds since then. */
  readonly base: number;
}
export interface Counts {
  readonly connected: number;
  readonly lost: number;
  readonly beats: number;
  readonly commands: number;
  readonly offers: number;
  readonly acks: number;
  /** Answers that the other side hasn't confirmed yet, and how often one was said again. */
  readonly open: number;
  readonly repeated: number;
}
export type Order =
  | { readonly do: 'connect'; readonly plan: string }
  /** So many beats a second in all of this process, in turn; each says when it was said. */
  | { readonly do: 'beats'; readonly rate: number; readonly seconds: number }
  /** Raw packets: several beats of one terminal in one write. */
  | { readonly do: 'burst'; readonly rate: number; readonly seconds: number }
  | { readonly do: 'counts' }
  /** What each terminal said last. */
  | { readonly do: 'newest' }
  | { readonly do: 'leave' };
