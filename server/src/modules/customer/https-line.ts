import { sendOutside } from '../../platform/outbound/door.ts';
import { signed } from '../../platform/outbound/sign.ts';
import { type Line, outcomeOf, type Platform, reasonOf } from './line.ts';

const PATIENCE_MS = 10_000;

/** A POST for each message, with a token or signed as Standard Webhooks says. */
export const httpsLine = ({ endpoint, signIn, secret, ca, allowed, now }: Platform): Line => ({
  async send({ messageId, body }) {
    const headers =
      signIn === 'hmac'
        ? signed(secret, messageId, now(), body)
        : { 'content-type': 'application/json', 'webhook-id': messageId, authorization: `Bearer ${secret}` };
    try {
      const sent = {
        url: endpoint,
        headers: { ...headers, 'user-agent': 'Mooring' },
        body,
        allowed,
        timeoutMs: PATIENCE_MS,
        mostBytes: 0,
        ca,
      };
      return outcomeOf((await sendOutside(sent)).status);
    } catch (error) {
      return { fate: 'later', reason: reasonOf(error) };
    }
  },
  close() {},
});
