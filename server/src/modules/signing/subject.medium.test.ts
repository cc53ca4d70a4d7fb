import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { certificateColumns, certificateRequest, selfSigned } from './certificate.ts';
import { subjectBytes } from './subject.ts';

const openssl = (args: readonly string[], input: Buffer | string) => execFileSync('openssl', args, { encoding: 'utf8', input }).trim();
/** From the country down, as it lies in the bytes; and the other way round, as RFC 4514 writes it. */
const down = ['-nameopt', 'utf8,sep_comma_plus_space'];
const up = ['-nameopt', 'RFC2253,-esc_msb,utf8,sep_comma_plus_space'];

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const of = { algorithm: 'p256', publicKey: (publicKey as KeyObject).export({ type: 'spki', format: 'der' }) } as const;
const signs = async (digest: string, data: Buffer) => sign(digest, data, privateKey);

async function namesOf(subject: string) {
  const request = await certificateRequest(of, subject, signs);
  const certificate = await selfSigned(of, { subject, years: 1, now: new Date() }, signs);
  return {
    request: openssl(['req', '-noout', '-subject', ...down], request),
    certificate: openssl(['x509', '-inform', 'DER', '-noout', '-subject', ...down], certificate),
    printed: openssl(['x509', '-inform', 'DER', '-noout', '-subject', ...up], certificate),
    shown: certificateColumns([certificate]).subject,
  };
}
const full = 'CN=Elbe Till Süd, OU=Tills, O=Elbe GmbH, L=Hamburg, ST=Hamburg, C=DE';

test('a subject stands in request and certificate from the country down, and is shown as openssl prints it by RFC 4514', async () => {
  expect(await namesOf(full)).toEqual({
    request: 'subject=C=DE, ST=Hamburg, L=Hamburg, O=Elbe GmbH, OU=Tills, CN=Elbe Till Süd',
    certificate: 'subject=C=DE, ST=Hamburg, L=Hamburg, O=Elbe GmbH, OU=Tills, CN=Elbe Till Süd',
    printed: `subject=${full}`,
    shown: full,
  });
});

test('what openssl makes of its own -subj is shown in the same way', () => {
  const subj = '/C=DE/ST=Hamburg/L=Hamburg/O=Elbe GmbH/OU=Tills/CN=Elbe Till Süd';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
  const made = execFileSync('openssl', ['req', '-x509', ...key, '-utf8', '-subj', subj, '-outform', 'DER'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { subject, issuer } = certificateColumns([made]);
  expect([subject, issuer]).toEqual([full, full]);
});

test.each([
  '/O=Acme, Inc/CN=x',
  '/O=#1 shop/CN=\\\\ Till',
  '/C=DE/O=Elbe; Sons/OU="Tills" <all>/CN=Till \\/ two',
  '/O=Acme\\, Inc/CN=a=b+serialNumber=12',
])('a path means what openssl makes of it: %s', async (subj) => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
  const made = execFileSync('openssl', ['req', '-x509', ...key, '-utf8', '-subj', subj, '-outform', 'DER'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exactly = ['-nameopt', 'RFC2253,-esc_msb,utf8'];
  const certificate = await selfSigned(of, { subject: subj, years: 1, now: new Date() }, signs);
  const [own, its] = [certificate, made].map((one) => openssl(['x509', '-inform', 'DER', '-noout', '-subject', ...exactly], one));
  expect(own).toBe(its);
});

test('one that begins with its country is written down the way openssl prints it, and means the same', () => {
  expect(subjectBytes('C = DE, O = Elbe GmbH, CN = Till').equals(subjectBytes('CN=Till,O=Elbe GmbH,C=DE'))).toBe(true);
  expect(subjectBytes('/C=DE/O=Elbe GmbH/CN=Till').equals(subjectBytes('CN=Till,O=Elbe GmbH,C=DE'))).toBe(true);
});

test('commas within, several values in one part, and parts of other names', async () => {
  expect((await namesOf('CN=Till+serialNumber=12, O="Elbe, GmbH", DC=elbe, DC=example')).certificate).toBe(
    'subject=DC=example, DC=elbe, O=Elbe, GmbH, serialNumber=12 + CN=Till',
  );
  const { printed, shown } = await namesOf('emailAddress=a@elbe.de, CN=Till\\, two, O=Elbe');
  expect(printed).toBe(`subject=${shown}`);
});

test.each([
  'CN=',
  'CN=Till, O=',
  'CN=Till, C=DEU',
  `CN=${'x'.repeat(65)}`,
  'Till',
  'CN=Till, XX=1',
  'CN=#0c0141',
  '/CN',
  '/C=DE/CN=',
  '/CN=Till/XX=1',
  '/OU=a+OU=b/CN=Till',
])('no authority takes %s', (subject) => {
  expect(() => subjectBytes(subject)).toThrow('KEY_SUBJECT');
});

test('a certificate without a subject is shown without one', () => {
  expect(new X509Certificate(EMPTY).subject).toBe(undefined);
  expect(certificateColumns([EMPTY]).subject).toBe('');
});
const EMPTY = execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    '/dev/null',
    '-subj',
    '/',
    '-outform',
    'DER',
  ],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
