import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** CSP without inline script (design 5, "Input"). `style-src-attr` is what a component library needs; elements carry the nonce. */
const policy = (nonce?: string, pictures?: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    `style-src-elem 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${pictures ? ` ${pictures}` : ''}`,
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const plain = policy();

/** A nonce for this answer, which is written into index.html: most answers have no place for one. `pictures`: another origin that pictures may come from. */
export function makeNonce(reply: FastifyReply, pictures?: string): string {
  const nonce = randomBytes(16).toString('base64');
  void reply.header('content-security-policy', policy(nonce, pictures));
  return nonce;
}

const STAY = 'max-age=31536000; includeSubDomains';

export function secureHeaders(http: FastifyInstance, tls: boolean): void {
  const headers = {
    'content-security-policy': plain,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  };
  http.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers);
    // Also where a trusted proxy ended it.
    if (tls || request.protocol === 'https') void reply.header('strict-transport-security', STAY);
  });
}
