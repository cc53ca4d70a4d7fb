import { z } from 'zod';
import type { Db } from '../context.ts';
import type { House } from '../house.ts';

/** The mail server, its password opened. An empty host is none. */
const MailServer = z.object({
  host: z.string().min(1),
  port: z.int().default(587),
  /** `tls` from the first byte, `starttls` after the greeting, `none` in clear: within one machine only. */
  security: z.enum(['none', 'starttls', 'tls']).default('starttls'),
  user: z.string().default(''),
  password: z.string().default(''),
  fromName: z.string().default(''),
  fromAddress: z.string().default(''),
});
export type MailServer = z.infer<typeof MailServer>;

/** Where text messages go, and what signs them. */
const SmsHook = z.object({ url: z.string().min(1), secret: z.string().default('') });
export type SmsHook = z.infer<typeof SmsHook>;

/** Where the servers are told; undefined where there is none. */
export interface MailSettings {
  mail(db: Db): Promise<MailServer | undefined>;
  sms(db: Db): Promise<SmsHook | undefined>;
}

const SEALED = 'setting';

/** The rows `mail` and `sms` of the settings; their secret is sealed with the master key, in base64. */
export function storedSettings(house: House): MailSettings {
  const read = async <S extends z.ZodType>(db: Db, type: string, secret: string, schema: S): Promise<z.output<S> | undefined> => {
    const row = await db.selectFrom('settings_value').select('value').where('type', '=', type).executeTakeFirst();
    const value = (row?.value ?? {}) as Record<string, unknown>;
    const sealed = value[secret];
    const clear = typeof sealed === 'string' && sealed !== '' ? house.masterKey.open(SEALED, Buffer.from(sealed, 'base64')).toString() : '';
    const parsed = schema.safeParse({ ...value, [secret]: clear });
    return parsed.success ? parsed.data : undefined;
  };
  return {
    mail: async (db) => (house.config.SMTP_URL ? serverOfUrl(house.config.SMTP_URL) : read(db, 'mail', 'password', MailServer)),
    sms: (db) => read(db, 'sms', 'secret', SmsHook),
  };
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
