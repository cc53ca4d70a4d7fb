import { Fault } from '@mooring/contract/kit/fault';
import { expect, test } from 'vitest';
import { outcomeOf, reasonOf } from './line.ts';

const coded = (code: string | number) => Object.assign(new Error('secret inner words'), { code });

test.each([
  [new Fault('ADDRESS_NOT_PUBLIC'), 'ADDRESS_NOT_PUBLIC'],
  [coded('ENOTFOUND'), 'IOT_DNS'],
  [coded('ECONNREFUSED'), 'IOT_UNREACHABLE'],
  [coded('ETIMEDOUT'), 'IOT_SILENT'],
  [AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason, 'IOT_SILENT'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'IOT_TLS'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'IOT_TLS'],
  [coded('CERT_HAS_EXPIRED'), 'IOT_TLS'],
  [coded('ERR_OSSL_X509_KEY_VALUES_MISMATCH'), 'IOT_CREDENTIALS'],
  [coded('ECONNRESET'), 'IOT_CLOSED'],
  [new Error('whatever'), 'IOT_CLOSED'],
])('%s is said in words', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

test('a message is refused for what is said of it alone; redirects are followed by nobody', () => {
  expect([200, 204].map((one) => outcomeOf(one).fate)).toEqual(['sent', 'sent']);
  expect([400, 413, 422].map((one) => outcomeOf(one).fate)).toEqual(['refused', 'refused', 'refused']);
  for (const status of [301, 302, 401, 403, 404, 408, 429, 500, 502, 503]) expect(outcomeOf(status).fate, String(status)).toBe('later');
});
