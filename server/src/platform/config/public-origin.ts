import { Fault } from '@mooring/contract/kit/fault';
import type { Config } from './config.ts';

const everywhere: readonly string[] = ['0.0.0.0', '::', ''];
/**
 * Where links in mails lead. Never where the request says: whoever asks could name any host, and the mail would lead there.
 * @throws PUBLIC_URL_MISSING where the server listens everywhere and nobody said under which name.
 */
export function publicOrigin({ PUBLIC_URL, HOST, PORT, TLS_CERT }: Config): string {
  if (PUBLIC_URL) return new URL(PUBLIC_URL).origin;
  if (everywhere.includes(HOST)) throw new Fault('PUBLIC_URL_MISSING');
  const isLoopback = /^(localhost|127\.|::1)/.test(HOST);
  return new URL(`${TLS_CERT || !isLoopback ? 'https' : 'http'}://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`).origin;
}

/** The same for a link in a mail that isn't asked for: none where nobody has said how people reach the console. */
export const originForMail = (config: Config): string | undefined =>
  config.PUBLIC_URL || !everywhere.includes(config.HOST) ? publicOrigin(config) : undefined;
