import { createHash, X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Authority, authorities, openssl } from './profile.factory.ts';
import { names, rawOf, timeAnswer } from './timestamp.factory.ts';
import { askTime, readTime } from './timestamp.ts';

const folder = mkdtempSync(join(tmpdir(), 'mooring-clocks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ca = authorities(folder);
const root = ca.root('Clocks');
const leaf = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'];
const clock = (name: string, ...uses: string[]) => ca.below(name, root, { lines: [...leaf, ...uses].join('\n') });
const good = clock('Clock', 'extendedKeyUsage=critical,timeStamping');

const asked = askTime(createHash('sha256').update('signed bytes').digest());
const faultOf = (signer: Authority, more: readonly Buffer[], certificates = [rawOf(signer)]) => {
  try {
    readTime(timeAnswer(asked, { signer, certificates, more }), asked, new X509Certificate(root.pem));
    return undefined;
  } catch (error) {
    return (error as { fault?: string }).fault;
  }
};

test('a certificate for time stamps alone counts, and only where that is critical (RFC 3161, section 2.3)', () => {
  expect(faultOf(good, [names.v2(rawOf(good))])).toBeUndefined();
  const others = [
    clock('Meek', 'extendedKeyUsage=timeStamping'),
    clock('Many', 'extendedKeyUsage=critical,timeStamping,codeSigning'),
    clock('Coder', 'extendedKeyUsage=critical,codeSigning'),
    clock('Plain'),
  ];
  for (const one of others) expect([one.path, faultOf(one, [names.v2(rawOf(one))])]).toEqual([one.path, 'SIGNING_TIME_BAD']);
});

test('what is signed names the certificate that signs (RFC 5035)', () => {
  const own = rawOf(good);
  // Of the same key, by the same authority: whichever of them is named signs.
  const name = join(folder, 'Renewed');
  copyFileSync(`${good.path}.key`, `${name}.key`);
  openssl('req', '-new', '-key', `${name}.key`, '-out', `${name}.csr`, '-subj', '/O=Acquirer/CN=Renewed');
  const renewed = rawOf(ca.again('Renewed', root, [...leaf, 'extendedKeyUsage=critical,timeStamping'].join('\n')));
  for (const more of [[names.v1(own)], [names.v2By('sha512', own)], [names.v1(own), names.v2(own)]])
    expect(faultOf(good, more)).toBeUndefined();
  expect(faultOf(good, [names.v2(renewed)], [own, renewed])).toBeUndefined();
  const wrong = [
    [],
    [names.v2(renewed)],
    [names.v2(rawOf(root))],
    [names.v1(renewed)],
    [names.v1(own), names.v2(renewed)],
    [names.v2By('sha1', own)],
  ];
  for (const more of wrong) expect(faultOf(good, more)).toBe('SIGNING_TIME_BAD');
});
