import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { der, oid, partOf, partsOf, readDer, sequence, setOf } from '@mooring/apk/cms/der';
import { readBeside } from '@mooring/apk/cms/read-cms';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { MOST_BESIDE } from '@mooring/contract/signing/limits';
import { besideCalls } from '@mooring/contract/signing/verify-beside';
import { besideFlaw } from '@mooring/terminal/beside';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { type Authority, authorities, openssl } from './profile.factory.ts';
import { makeKey, makeProfile, makeStore } from './signing.factory.ts';
import { names, rawOf, timeAnswer } from './timestamp.factory.ts';
import { askTime } from './timestamp.ts';

let app: TestApp;
let author: Client;
let second: Client;
let foreign: Client;
let bank = { id: 0, path: '' };
let other = bank;
let folder = '';
let ca: ReturnType<typeof authorities>;
let root: Authority;
let middle: Authority;
let signer: Authority;
const content = Buffer.from('parameters of a fleet\n'.repeat(99));

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  // Authorities are made by the machine's clock.
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  other = await app.dept('Other');
  foreign = await app.person('signingOfficer', other);
  folder = mkdtempSync(join(tmpdir(), 'mooring-beside-'));
  ca = authorities(folder);
  root = ca.root('root');
  middle = ca.below('middle', root);
  signer = ca.below('signer', middle, { lines: 'basicConstraints=critical,CA:FALSE\nsubjectKeyIdentifier=hash' });
  writeFileSync(join(folder, 'content'), content);
  writeFileSync(join(folder, 'chain.pem'), middle.pem + root.pem);
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function upload(as: Client, bytes = content, path = bank.path): Promise<number> {
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
  const values = { kind: '8', name: 'params.json', size, sha256, md5, user_id: as.userId, dept_path: path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
/** As openssl signs it. */
const signedBy = (...more: string[]): Buffer => signedWith(signer, ...more);
function signedWith(by: Authority, ...more: string[]): Buffer {
  const out = join(folder, 'out.p7s');
  const of = ['-in', join(folder, 'content'), '-signer', `${by.path}.pem`, '-inkey', `${by.path}.key`, '-outform', 'DER'];
  openssl('cms', '-sign', '-binary', ...of, '-out', out, ...more);
  return readFileSync(out);
}
const chain = () => ['-certfile', join(folder, 'chain.pem')];
const verify = async (signature: Buffer, bytes = content) =>
  author.call(besideCalls.verifyBeside, { fileId: await upload(author, bytes), signature: signature.toString('base64') });
const faultOf = async (signature: Buffer) => {
  const { code, body } = await author.send(besideCalls.verifyBeside, {
    fileId: await upload(author),
    signature: signature.toString('base64'),
  });
  return body?.fault ?? code;
};

test('what was signed here says its key and when, and other bytes are seen', async () => {
  const keyId = await makeKey(author, second, await makeStore(author, bank.id), { algorithm: 'p384' });
  const { id } = await author.call(signingJobCalls.add, { keyId, fileId: await upload(author), profile: 'cms' });
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  const { rawPayload } = await app.http.inject({
    method: 'POST',
    url: `/ops${signingJobCalls.download.path}`,
    headers: { authorization: author.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' },
    payload: { id },
  });
  const found = await verify(rawPayload);
  expect([found.wrong, found.key?.id, found.digest, found.chainEnds, found.stamp]).toEqual([null, keyId, 'sha384', 'self', null]);
  expect(Math.abs(new Date(found.signedAt ?? 0).getTime() - app.clock.now.getTime())).toBeLessThan(2000);
  expect((await verify(rawPayload, Buffer.from('other'))).wrong).toBe('BYTES_DIFFER');
  // The key is named to those who see it alone.
  const theirs = { fileId: await upload(foreign, content, other.path), signature: rawPayload.toString('base64') };
  expect((await foreign.call(besideCalls.verifyBeside, theirs)).key).toBe(null);
  expect((await author.send(besideCalls.verifyBeside, theirs)).body?.fault).toBe('NOT_FOUND');
  // One that is stopped says so; one that one person alone made is no key of theirs.
  await author.call(signingKeyCalls.suspend, { id: keyId });
  expect((await verify(rawPayload)).key?.state).toBe('suspended');
  await app.context.unscoped((db) => db.updateTable('signing_key').set({ state: 'waiting' }).where('id', '=', keyId).execute());
  expect((await verify(rawPayload)).key).toBe(null);
});

test.each([
  ['with its chain', () => chain()],
  ['by the id of its key', () => ['-keyid', ...chain()]],
  ['without attributes', () => ['-noattr', ...chain()]],
  ['with RSASSA-PSS', () => ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:32', ...chain()]],
  ['with SHA-512', () => ['-md', 'sha512', ...chain()]],
])('openssl’s signature %s is read, with who signed it up to the root', async (_how, more) => {
  const found = await verify(signedBy(...more()));
  expect([found.wrong, found.chainEnds, found.valid]).toEqual([null, 'root', true]);
  expect(found.chain.map(({ subject }) => subject)).toEqual(['CN=signer, O=Acquirer', 'CN=middle, O=Acquirer', 'CN=root, O=Acquirer']);
  expect((await verify(signedBy(...more()), Buffer.from('other'))).wrong).toBe('BYTES_DIFFER');
});

test('without its issuers the chain ends open; a profile whose root it leads to is named', async () => {
  expect((await verify(signedBy())).chainEnds).toBe('open');
  const profile = { name: 'Acquirer', deptId: bank.id, kind: 'chain' as const, root: root.pem };
  const { id } = await makeProfile(author, second, profile);
  expect((await verify(signedBy(...chain()))).profile).toEqual({ id, name: 'Acquirer', deptName: 'Bank' });
  expect((await verify(signedBy())).profile).toBe(null);
});

test('a signer’s own clock makes no certificate valid, and one that is ahead is said', async () => {
  const brief = ca.below('brief', root, { days: 1, lines: 'basicConstraints=critical,CA:FALSE' });
  const signature = signedWith(brief, ...chain());
  const { now } = app.clock;
  expect(await verify(signature)).toMatchObject({ valid: true, validByClock: true, clock: null, profile: { name: 'Acquirer' } });
  app.clock.now = new Date(now.getTime() - 7_200_000);
  expect((await verify(signature)).clock).toBe('future');
  app.clock.now = new Date(now.getTime() + 2 * 86_400_000);
  const later = await app.person('signingOfficer', bank);
  const asked = { fileId: await upload(later), signature: signature.toString('base64') };
  expect(await later.call(besideCalls.verifyBeside, asked)).toMatchObject({ valid: false, validByClock: true, profile: null });
  app.clock.now = now;
});

test('a profile of an organisation below is said by its organisation, and one’s own comes first', async () => {
  const below = await app.dept('Below', bank);
  const mine = ca.root('mine');
  const leaf = ca.below('leaf', mine, { lines: 'basicConstraints=critical,CA:FALSE' });
  const asked = async () => (await verify(signedWith(leaf))).profile;
  expect(await asked()).toBe(null);
  await makeProfile(author, second, { name: 'Theirs', deptId: below.id, kind: 'chain', root: mine.pem });
  expect(await asked()).toMatchObject({ name: 'Theirs', deptName: 'Below' });
  await makeProfile(author, second, { name: 'Ours', deptId: bank.id, kind: 'chain', root: mine.pem });
  expect(await asked()).toMatchObject({ name: 'Ours', deptName: 'Bank' });
});

test('a certificate that isn’t for signatures, content of another kind without attributes, and two values of one are refused by name', async () => {
  const lines = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyEncipherment';
  expect(await faultOf(signedWith(ca.below('cipher', root, { lines })))).toBe('SIGNATURE_USAGE');
  const [data, time] = [oid('1.2.840.113549.1.7.1'), oid('1.2.840.113549.1.7.5')];
  const replaced = (bytes: Buffer, from: Buffer, to: Buffer) => {
    const at = bytes.indexOf(from);
    return Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)]);
  };
  expect(await faultOf(replaced(signedBy('-noattr'), data, time))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(withTwoValues(signedBy()))).toBe('SIGNATURE_UNREAD');
});

test('lengths that are left open are read as well, as other tools write them', async () => {
  const left = (tag: number, ...parts: readonly Buffer[]) => Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)]);
  const parts = partsOf(partOf(partOf(readDer(signedBy(...chain())), 1), 0));
  const encapsulated = left(0x30, parts[2]?.body ?? Buffer.alloc(0));
  const inner = parts.map(({ raw }, at) => (at === 2 ? encapsulated : raw));
  const whole = left(0x30, oid('1.2.840.113549.1.7.2'), left(0xa0, left(0x30, ...inner)));
  expect(await verify(whole)).toMatchObject({ wrong: null, chainEnds: 'root' });
  expect(await faultOf(Buffer.concat([whole, Buffer.from('more')]))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(signedBy('-stream'))).toBe('SIGNATURE_WITHIN');
});

test('PEM is read as well', async () => {
  const base64 = signedBy(...chain())
    .toString('base64')
    .replace(/.{64}/g, '$&\n');
  expect((await verify(Buffer.from(`-----BEGIN CMS-----\n${base64}\n-----END CMS-----\n`))).wrong).toBe(null);
});

test('a time stamp within it is of this signature, and of no other one', async () => {
  const lines = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping';
  const clock = ca.below('clock', root, { lines });
  const stamped = (of: Buffer): Buffer => {
    const asked = askTime(createHash('sha256').update(readBeside(of).signature).digest());
    const certificates = [rawOf(clock), rawOf(root)];
    return timeAnswer(asked, { signer: clock, certificates, more: [names.v2(rawOf(clock))] });
  };
  const plain = signedBy(...chain());
  const within = (token: Buffer): Buffer => withUnsigned(plain, sequence(oid('1.2.840.113549.1.9.16.2.14'), setOf(token)));
  const found = await verify(within(tokenOf(stamped(plain))));
  expect([found.wrong, found.stamp?.holds, found.stamp?.known, found.stamp?.by]).toEqual([null, true, false, 'CN=clock, O=Acquirer']);
  const another = await verify(within(tokenOf(stamped(signedBy('-md', 'sha384')))));
  expect([another.wrong, another.stamp]).toEqual([null, { at: null, by: '', holds: false, known: false }]);
});

test('what is none, damaged, too large, attached, of several or without its certificate is refused by name', async () => {
  expect(await faultOf(Buffer.from('PK\u0003\u0004 nothing'))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(Buffer.from('-----BEGIN CMS-----\nnothing\n-----END CMS-----\n'))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(rawOf(signer))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(signedBy().subarray(0, 500))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(Buffer.alloc(MOST_BESIDE + 1, 0x30))).toBe('SIGNATURE_LARGE');
  expect(await faultOf(Buffer.alloc(MOST_BESIDE, Buffer.from([0x30, 0x80])))).toBe('SIGNATURE_UNREAD');
  expect(await faultOf(signedBy('-nodetach'))).toBe('SIGNATURE_WITHIN');
  expect(await faultOf(signedBy('-nocerts'))).toBe('SIGNATURE_NO_CERTIFICATE');
  expect(await faultOf(signedBy('-md', 'sha1'))).toBe('SIGNATURE_ALGORITHM');
  expect(await faultOf(signedBy('-signer', `${middle.path}.pem`, '-inkey', `${middle.path}.key`))).toBe('SIGNATURE_SIGNERS');
  const { code, body } = await author.send(besideCalls.verifyBeside, { fileId: await upload(author), signature: 'not base64!' });
  expect([code, body?.fault]).toEqual([400, 'BAD_INPUT']);
});

test('no byte of it can be another without that being seen, nor ends in an error of its own', async () => {
  const whole = signedBy();
  const known = readBeside(whole);
  const kept: number[] = [];
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x01;
    try {
      const read = readBeside(bytes);
      if ((await read.check(Readable.from([content]))) === null && read.own.raw.equals(known.own.raw)) kept.push(at);
    } catch (error) {
      expect((error as { fault?: string }).fault).toMatch(/^SIGNATURE_/);
    }
  }
  // Versions, and what names algorithms a second time: nothing that says who signed what.
  expect(kept.length).toBeLessThan(40);
});

/** The token within the answer of a service. */
function tokenOf(answer: Buffer): Buffer {
  return partOf(readDer(answer), 1).raw;
}
/** A signature whose signed attributes have two values each. */
function withTwoValues(plain: Buffer): Buffer {
  const parts = partsOf(partOf(partOf(readDer(plain), 1), 0));
  const info = partsOf(partOf(parts.at(-1), 0));
  const double = partsOf(info[3] ?? readDer(plain)).map((one) => {
    const [name, values] = partsOf(one);
    return sequence(
      name?.raw ?? Buffer.alloc(0),
      der(0x31, Buffer.concat([values?.body ?? Buffer.alloc(0), values?.body ?? Buffer.alloc(0)])),
    );
  });
  const next = sequence(...info.map(({ raw }, at) => (at === 3 ? der(0xa0, Buffer.concat(double)) : raw)));
  const data = sequence(...parts.slice(0, -1).map(({ raw }) => raw), setOf(next));
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, data));
}
/** A signature with an attribute that isn't signed. */
function withUnsigned(plain: Buffer, attribute: Buffer): Buffer {
  const parts = partsOf(partOf(partOf(readDer(plain), 1), 0));
  const info = partOf(parts.at(-1), 0);
  const next = sequence(info.body, der(0xa1, attribute));
  const data = sequence(...parts.slice(0, -1).map(({ raw }) => raw), setOf(next));
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, data));
}

test('a terminal that trusts signers of its own reads a signature by the same rules: no SHA-1, and no way up past what a certificate may issue', async () => {
  const lines = 'basicConstraints=critical,CA:FALSE';
  const flaw = (signature: Buffer, roots = root.pem) => besideFlaw(signature, content, roots);
  expect(await flaw(signedBy(...chain()))).toBeUndefined();
  expect(await flaw(signedBy(), signer.pem)).toBeUndefined();
  expect(await flaw(signedBy('-md', 'sha1', ...chain()))).toContain('SIGNATURE_ALGORITHM');
  expect(await besideFlaw(signedBy(...chain()), Buffer.from('other'), root.pem)).toContain('BYTES_DIFFER');
  const leaf = ca.below('no authority', root, { lines });
  const narrow = ca.root('narrow', 90, 'critical,CA:TRUE,pathlen:0');
  for (const [by, roots] of [
    [leaf, root.pem],
    [ca.below('between', narrow), narrow.pem],
  ] as const) {
    const below = ca.below(`below ${by.pem.length}`, by, { lines });
    const file = join(folder, 'issuer.pem');
    writeFileSync(file, by.pem);
    expect(await flaw(signedWith(below, '-certfile', file), roots)).toContain('isn’t trusted');
  }
});
