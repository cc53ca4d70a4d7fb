import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import type { Allowed } from '../outbound/door.ts';
import { openSecret, readSetting } from '../settings.ts';
import type { Channel } from './compose.ts';

/** The mail server, its password opened. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` after the greeting, `none` in clear: within one machine only. */
  readonly security: 'none' | 'starttls' | 'tls';
  readonly user: string;
  readonly password: string;
  readonly fromName: string;
  readonly fromAddress: string;
}

/** Where text messages go, and what signs them. */
export interface SmsHook {
  readonly url: string;
  readonly secret: string;
}

/** Where the servers are told; undefined where there is none. */
export interface MailSettings {
  mail(db: Db): Promise<MailServer | undefined>;
  sms(db: Db): Promise<SmsHook | undefined>;
  /** What may be reached though it isn't public. */
  allowed(db: Db): Promise<Allowed>;
}

/** The settings `mail` and `sms`; the environment stands above the first. */
export const storedSettings = (app: AppContext): MailSettings => ({
  async mail(db) {
    if (app.config.SMTP_URL) return serverOfUrl(app.config.SMTP_URL);
    const stored = await readSetting(db, 'mail');
    return stored.host === '' ? undefined : { ...stored, password: openSecret(app.masterKey, stored.password) };
  },
  async allowed(db) {
    const { allowed } = await readSetting(db, 'outbound');
    // The operator's own word.
    return app.config.SMTP_URL ? [...allowed, new URL(app.config.SMTP_URL).hostname] : allowed;
  },
  async sms(db) {
    const stored = await readSetting(db, 'sms');
    return stored.url === '' ? undefined : { url: stored.url, secret: openSecret(app.masterKey, stored.secret) };
  },
});

/** Whether anything leaves at all: without a server it's kept. */
export async function sendsOf(app: AppContext, db: Db): Promise<Record<Channel, boolean>> {
  const [mail, sms] = [await readSetting(db, 'mail'), await readSetting(db, 'sms')];
  return { email: app.config.SMTP_URL !== undefined || mail.host !== '', sms: sms.url !== '' };
}

/** `smtp://user:password@host:587?from=a@b.c` in the environment stands above the setting. */
function serverOfUrl(text: string): MailServer {
  const url = new URL(text);
  const tls = url.protocol === 'smtps:';
  return {
    host: url.hostname,
    port: Number(url.port) || (tls ? 465 : 587),
    security: tls ? 'tls' : url.searchParams.get('starttls') === '0' ? 'none' : 'starttls',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    fromName: url.searchParams.get('name') ?? '',
    fromAddress: url.searchParams.get('from') ?? '',
  };
}
