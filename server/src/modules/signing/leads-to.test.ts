import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Issuers, MOST_VERIFIED } from '@mooring/apk/cms/issuers';
import { climb, endsAt, leadsTo } from '@mooring/apk/cms/leads-to';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authority, authorities, openssl } from './profile.factory.ts';

let folder = '';
let ca: ReturnType<typeof authorities>;
let root: Authority;
let foreign: Authority;
const now = new Date(Date.now() + 3_600_000);
const read = ({ pem }: Pick<Authority, 'pem'>) => new X509Certificate(pem);
const rawsOf = (...of: readonly X509Certificate[]) => of.map(({ raw }) => raw);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-leads-'));
  ca = authorities(folder);
  root = ca.root('root');
  foreign = ca.root('foreign');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Certificates of one authority, each of which issued each. */
function clique(many: number, isTrue = true): X509Certificate[] {
  const key = join(folder, 'clique.key');
  return Array.from({ length: many }, (_, at) => {
    const out = join(folder, `clique${at}.pem`);
    if (at === 0 || !isTrue) openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key);
    openssl('req', '-x509', '-key', key, '-out', out, '-subj', '/CN=Same', '-days', '30', '-addext', 'subjectKeyIdentifier=none');
    return new X509Certificate(readFileSync(out));
  });
}

test.each([true, false])(
  'authorities that all seem to certify each other are each climbed to once, by few verifications (%s)',
  (isTrue) => {
    const issuers = new Issuers();
    const reached = climb(clique(10, isTrue), now, issuers);
    expect(reached.length).toBe(isTrue ? 10 : 1);
    for (const one of [root, foreign]) expect(endsAt(reached, read(one), now, issuers)).toBe(false);
    expect(issuers.verified).toBeLessThan(MOST_VERIFIED);
  },
);

test('the verifications of a request have an end, over all of its roots, and each pair is verified once', () => {
  const issuers = new Issuers(3);
  const middle = read(ca.below('middle', root));
  const of = rawsOf(read(ca.below('signer', { path: join(folder, 'middle'), pem: '' })), middle);
  for (let again = 0; again < 5; again++) expect(leadsTo(of, read(root), now, issuers)).toBe(true);
  expect(issuers.verified).toBe(2);
  climb(clique(10, false), now, issuers);
  expect(issuers.verified).toBe(3);
});

test('a line is as long as each authority allows, and through authorities alone', () => {
  const short = ca.root('short', 90, 'critical,CA:TRUE,pathlen:0');
  const between = ca.below('between', short);
  const end = ca.below('end', between);
  expect(leadsTo(rawsOf(read(between)), read(short), now)).toBe(true);
  expect(leadsTo(rawsOf(read(end), read(between)), read(short), now)).toBe(false);
  const plain = ca.below('plain', root, { lines: 'basicConstraints=critical,CA:FALSE' });
  const under = ca.below('under', plain);
  expect(leadsTo(rawsOf(read(under), read(plain)), read(root), now)).toBe(false);
  expect(leadsTo(rawsOf(read(root)), read(root), now)).toBe(false);
  expect(leadsTo(rawsOf(read(plain), read(root)), read(root), now)).toBe(true);
});

test('dates are asked of whoever signs now, and not of a key that others follow', () => {
  const line = rawsOf(read(ca.below('earlier', root)));
  const later = new Date(now.getTime() + 400 * 86_400_000);
  expect([leadsTo(line, read(root), now), leadsTo(line, read(root), later), leadsTo(line, read(root), undefined)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(leadsTo(line, read(foreign), undefined)).toBe(false);
});
