import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(24).toString('base64');

/** What is said with the prefix is base64, as Standard Webhooks has it; any other secret is its own bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);

/** Whether a secret that is said with the prefix is one: 24 to 64 bytes, as Standard Webhooks has it. */
export const isSigningKey = (secret: string): boolean => {
  const bytes = keyOf(secret).length;
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && bytes >= 24 && bytes <= 64;
};

/** The headers of Standard Webhooks: id, time in seconds, and an HMAC-SHA256 over both and the body. */
export function signed(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = keyOf(secret);
  return {
    'content-type': 'application/json',
    'user-agent': 'Mooring-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  };
}
