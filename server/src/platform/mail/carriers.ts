import { createHmac } from 'node:crypto';
import type { Db } from '../context.ts';
import { brandOf } from './mail.ts';
import type { MailServer, SmsHook } from './settings.ts';

export interface Parcel {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
/** Carries one message. Fails with `permanent` where trying again is useless. */
export interface Carrier {
  readonly from: string;
  carry(parcel: Parcel): Promise<void>;
}

export const permanentOf = (error: unknown): boolean => {
  const { responseCode, permanent } = error as { responseCode?: number; permanent?: boolean };
  // 5xx of the recipient or the content is final; a refused sign-in is the administrator's to mend, so it is tried again.
  return permanent === true || (responseCode !== undefined && responseCode >= 550 && responseCode < 560);
};

/** Undefined where no mail server is set up. */
export async function mailCarrier(server: MailServer | undefined, db: Db): Promise<Carrier | undefined> {
  if (!server) return undefined;
  const name = server.fromName || (await brandOf(db));
  const from = server.fromAddress || `mooring@${server.host}`;
  return {
    from,
    async carry(parcel) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host: server.host,
        port: server.port,
        secure: server.security === 'tls',
        requireTLS: server.security === 'starttls',
        ignoreTLS: server.security === 'none',
        ...(server.user ? { auth: { user: server.user, pass: server.password } } : {}),
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        // A message is words alone: nothing is read from disk or fetched for it.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          messageId: parcel.id,
          from: { name, address: from },
          // An object is never read as a list of addresses.
          to: { name: '', address: parcel.to },
          subject: parcel.subject,
          text: parcel.text,
          html: parcel.html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } finally {
        transport.close();
      }
    },
  };
}

/** Text messages go to one HTTP address, signed as Standard Webhooks does. Undefined where none is set up. */
export function smsCarrier(hook: SmsHook | undefined, now: () => Date): Carrier | undefined {
  if (!hook) return undefined;
  return {
    from: 'mooring',
    async carry({ id, to, text }) {
      const body = JSON.stringify({ to, text });
      const stamp = String(Math.floor(now().getTime() / 1000));
      const messageId = id.replace(/[<>]/g, '');
      const answer = await fetch(hook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': messageId,
          'webhook-timestamp': stamp,
          'webhook-signature': `v1,${createHmac('sha256', hook.secret).update(`${messageId}.${stamp}.${body}`).digest('base64')}`,
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      });
      await answer.body?.cancel();
      if (!answer.ok)
        throw Object.assign(new Error(`HTTP ${answer.status}`), { permanent: answer.status === 400 || answer.status === 422 });
    },
  };
}
