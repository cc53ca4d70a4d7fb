import type { Fault } from '@mooring/contract/kit/fault';

/** An outside IoT platform as it is spoken to. */
export interface Platform {
  readonly id: number;
  readonly revision: number;
  readonly kind: 'aws' | 'mqtt' | 'https';
  readonly endpoint: string;
  readonly region: string;
  readonly controlEndpoint: string;
  readonly policy: string;
  readonly topic: string;
  readonly signIn: 'token' | 'hmac' | 'password' | 'certificate' | 'accessKey';
  readonly userName: string;
  readonly certificate: string;
  readonly ca: string;
  readonly secret: string;
  /** Networks and names inside that may be reached. */
  readonly allowed: readonly string[];
  readonly now: () => Date;
}

export interface Parcel {
  readonly messageId: string;
  readonly seq: number;
  readonly sn: string;
  readonly product: string;
  readonly kind: string;
  readonly body: string;
}

/** Taken; refused for good, since it is the message that isn't taken; or put off, since nothing is at the moment. */
export type Outcome =
  | { readonly fate: 'sent'; readonly status?: number }
  | { readonly fate: 'refused' | 'later'; readonly reason: string; readonly status?: number };

/** A way to a platform. `send` answers whatever happens, and may be asked for several messages at once. */
export interface Line {
  send(parcel: Parcel): Promise<Outcome>;
  close(): void;
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'IOT_DNS',
  EAI_AGAIN: 'IOT_DNS',
  ECONNREFUSED: 'IOT_UNREACHABLE',
  EHOSTUNREACH: 'IOT_UNREACHABLE',
  ENETUNREACH: 'IOT_UNREACHABLE',
  ETIMEDOUT: 'IOT_SILENT',
  ABORT_ERR: 'IOT_SILENT',
  ECONNRESET: 'IOT_CLOSED',
  EPIPE: 'IOT_CLOSED',
  EPROTO: 'IOT_TLS',
};
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;
const PEM = /^ERR_OSSL/;

/** Why nothing came through, by the name of a fault: what the system says of it isn't for everybody's eyes. */
export function reasonOf(error: unknown): string {
  const { fault, code, name } = error as Partial<Fault> & { code?: string | number; name?: string };
  if (fault) return fault;
  const word = String(code ?? '');
  if (TLS.test(word)) return 'IOT_TLS';
  if (PEM.test(word)) return 'IOT_CREDENTIALS';
  return reasons[word] ?? (name === 'TimeoutError' || name === 'AbortError' ? 'IOT_SILENT' : 'IOT_CLOSED');
}

const ofSender: readonly number[] = [401, 403, 408, 425, 429];
/** Whether an answer is about the message as long as others get through: of HTTP, or of MQTT 5 (unspecified, implementation specific). */
export const isOfMessage = (status: number | undefined): boolean =>
  status === 500 ||
  status === 0x80 ||
  status === 0x83 ||
  (status !== undefined && status >= 400 && status < 500 && !ofSender.includes(status));

/** What an answer over HTTP means. A message is refused for good by what is said of the message alone. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { fate: 'sent', status };
  if (status === 400 || status === 413 || status === 422) return { fate: 'refused', reason: 'IOT_MESSAGE', status };
  if (status === 401) return { fate: 'later', reason: 'IOT_SIGN_IN', status };
  if (status === 403) return { fate: 'later', reason: 'IOT_FORBIDDEN', status };
  if (status === 404 || status === 405 || status === 410) return { fate: 'later', reason: 'IOT_NOT_FOUND', status };
  if (status === 408 || status === 425 || status === 429 || (status >= 502 && status <= 504))
    return { fate: 'later', reason: 'IOT_BUSY', status };
  return { fate: 'later', reason: 'IOT_STATUS', status };
}
