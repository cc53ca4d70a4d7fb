import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { zipBytes } from '@mooring/apk/zip.factory';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls, verifyCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { jobLimits, keyAlgorithms, type SignProfile } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { makeKey, makeStore, newestChange } from './signing.factory.ts';

const DAY = 86_400_000;
let app: TestApp;
let author: Client;
let second: Client;
let third: Client;
let foreign: Client;
let store = 0;
let key = 0;
let bank = { id: 0, path: '' };
let folder = '';
let apk: Buffer;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  third = await app.person('signingOfficer', bank);
  foreign = await app.person('signingOfficer', await app.dept('Other'));
  store = await makeStore(author, bank.id);
  key = await makeKey(author, second, store, { algorithm: 'rsa2048' });
  apk = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  folder = mkdtempSync(join(tmpdir(), 'mooring-signing-'));
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const faultOf = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return body?.fault ?? code;
};
const files = () => openStore(app.context.config, app.context.counts);
/** An upload of somebody's, as the upload calls leave it. */
async function upload(as: Client, bytes: Buffer, name = 'pay.apk', kind = '4'): Promise<number> {
  const { sha256, md5, size } = await files().put(Readable.from([bytes]));
  const values = { kind, name, size, sha256, md5, user_id: as.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
const ask = async (fileId: number, profile: SignProfile = 'apk', keyId = key) =>
  (await author.call(signingJobCalls.add, { keyId, fileId, profile })).id;
const detail = (id: number) => author.call(signingJobCalls.detail, { id });
const approve = async (id: number) => {
  await second.call(signingJobCalls.approve, { id });
  await app.runJobs();
  return detail(id);
};
async function download(as: Client, id: number): Promise<Buffer> {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/ops${signingJobCalls.download.path}`,
    headers: { authorization: as.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' },
    payload: { id },
  });
  return answer.rawPayload;
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test.each(keyAlgorithms)('a package is signed with a key of %s, and verified', async (algorithm) => {
  const keyId = await makeKey(author, second, store, { algorithm });
  const job = await approve(await ask(await upload(author, apk), 'apk', keyId));
  expect([job.state, job.reason, job.packageName, job.decidedBy]).toEqual(['signed', null, 'com.acme.pay', expect.any(String)]);
  const bytes = await download(author, job.id);
  expect([sha256(apk), sha256(bytes)]).toEqual([job.sha256Before, job.sha256After]);
  const verdict = await author.call(verifyCalls.verify, { fileId: await upload(author, bytes) });
  expect([verdict.signature.wrong, verdict.key?.id, verdict.info?.packageName]).toEqual([null, keyId, 'com.acme.pay']);
  expect((await author.call(signingKeyCalls.detail, { id: keyId })).uses).toBe(1);
});

test('what is kept for signing counts to the storage of whose key it is, and a full quota refuses', async () => {
  const kept = async () => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{ bytes: number }>`select coalesce(sum(bytes), 0)::float8 as bytes
        from (select * from file_usage union all select * from file_usage_change) u where kind = 'signing' and dept_id = ${bank.id}`.execute(
        db,
      ),
    );
    return rows[0]?.bytes ?? 0;
  };
  const before = await kept();
  const id = await ask(await upload(author, apk));
  expect(await kept()).toBe(before + apk.length);
  await second.call(signingJobCalls.refuse, { id, remark: 'Not this one' });
  expect(await kept()).toBe(before);
  const full = (bytes: number) => app.context.unscoped((db) => db.insertInto('file_quota').values({ dept_id: bank.id, bytes }).execute());
  await full(1);
  const fileId = await upload(author, apk);
  expect(await faultOf(author.send(signingJobCalls.add, { keyId: key, fileId, profile: 'apk' }))).toBe('STORAGE_QUOTA');
  await app.context.unscoped((db) => db.deleteFrom('file_quota').execute());
});

test.each(keyAlgorithms)('a detached signature with %s is read by openssl, and not of other bytes', async (algorithm) => {
  const keyId = await makeKey(author, second, store, { algorithm });
  const content = Buffer.from('parameters of a fleet\n'.repeat(9));
  const job = await approve(await ask(await upload(author, content, 'params.json', '8'), 'cms', keyId));
  const [signed, plain, certificate] = [join(folder, 'a.p7s'), join(folder, 'a.json'), join(folder, 'a.pem')];
  writeFileSync(signed, await download(author, job.id));
  writeFileSync(plain, content);
  writeFileSync(certificate, (await author.call(signingKeyCalls.detail, { id: keyId })).chain.join(''));
  const asked = 'cms -verify -binary -inform DER -purpose any -out /dev/null'.split(' ');
  const of = ['-in', signed, '-content', plain, '-CAfile', certificate];
  const verify = () => execFileSync('openssl', [...asked, ...of], { stdio: ['ignore', 'pipe', 'pipe'] });
  verify();
  writeFileSync(plain, 'other bytes');
  expect(verify).toThrow();
});

test('the record of a signature is audited with both checksums, and final from then on', async () => {
  const signed = await approve(await ask(await upload(author, apk)));
  const late = await ask(await upload(author, apk));
  const stopped = await ask(await upload(author, apk), 'apk', await makeKey(author, second, store));
  await author.call(signingKeyCalls.suspend, { id: (await detail(stopped)).keyId ?? 0 });
  await app.context.unscoped((db) => sql`update signing_job set state = 'approved' where id = ${stopped}`.execute(db));
  await app.context.unscoped((db) => sql`update signing_job set expires_at = now() - interval '1 day' where id = ${late}`.execute(db));
  await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sign', { id: stopped }));
  await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      result: string;
      target: string;
      path: string;
      after: { job: number };
    }>`select result, target, dept_path as path, after from audit_entry
      where call = 'signing:sign' and (after ->> 'job')::bigint = any(${[signed.id, late, stopped]}::bigint[]) order by id`.execute(db),
  );
  const { sha256Before, sha256After, certificateSha256, author: by, decidedBy, signedAt } = signed;
  expect(rows.find(({ after }) => after.job === signed.id)).toMatchObject({
    result: 'done',
    target: 'signing of pay.apk',
    path: bank.path,
    after: { outcome: 'signed', sha256Before, sha256After, certificateSha256, author: by, decidedBy, signedAt: expect.anything() },
  });
  expect([sha256After, signedAt]).not.toContain(null);
  expect(rows.map(({ after, result }) => [after.job, result]).sort()).toEqual([
    [signed.id, 'done'],
    [late, 'CHANGE_EXPIRED'],
    [stopped, 'KEY_NOT_ACTIVE'],
  ]);
  const client = await app.context.pools.owner.connect();
  const tried = async (role: string, statement: string) => {
    try {
      await client.query('begin');
      await client.query(`set local role ${role}`);
      await client.query(`select set_config('mooring.scope', '1.', true)`);
      return (await client.query(statement)).rowCount;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.query('rollback');
    }
  };
  const final = `the record of signature ${signed.id} is final`;
  for (const set of [
    `sha256_after = repeat('0', 64)`,
    `sha256_before = repeat('0', 64)`,
    `certificate_sha256 = ''`,
    `decided_by = 'Other'`,
    `author_id = ${second.userId}`,
    `signed_at = now()`,
    `stamp = '\\x00'`,
    `stamped_by = 'Clock'`,
    `state = 'requested'`,
    `kept_until = kept_until + interval '1 day'`,
  ])
    for (const role of ['mooring_app', 'mooring_system'])
      expect([set, await tried(role, `update signing_job set ${set} where id = ${signed.id}`)]).toEqual([set, final]);
  expect(await tried('mooring_app', `delete from signing_job where id = ${signed.id}`)).toContain('permission denied');
  // What upkeep does: its bytes go, and a person's account may.
  for (const set of ['kept_until = null', 'author_id = null', 'decided_by_id = null'])
    expect(await tried('mooring_system', `update signing_job set ${set} where id = ${signed.id}`)).toBe(1);
  client.release();
});

test('a JAR is signed inside, and verified', async () => {
  const jar = zipBytes([{ name: 'Main.class', bytes: Buffer.from('cafebabe', 'hex') }]);
  const job = await approve(await ask(await upload(author, jar, 'tool.jar', '3')));
  expect([job.state, job.resultName, job.packageName]).toEqual(['signed', 'tool-signed.jar', '']);
  const fileId = await upload(author, await download(author, job.id), 'tool.jar', '3');
  const { signature, info } = await author.call(verifyCalls.verify, { fileId });
  expect([signature.wrong, signature.schemes, info]).toEqual([null, ['v1'], null]);
});

test('nobody approves their own, nor one of another organisation; of two at once one does', async () => {
  const id = await ask(await upload(author, apk));
  expect((await detail(id)).allowedActions).toEqual(['withdraw']);
  expect(await faultOf(author.send(signingJobCalls.approve, { id }))).toBe('CHANGE_OWN');
  expect(await faultOf(foreign.send(signingJobCalls.approve, { id }))).toBe('NOT_FOUND');
  expect((await foreign.call(signingJobCalls.page, {})).content).toEqual([]);
  const codes = await Promise.all([second, third].map(async (one) => (await one.send(signingJobCalls.approve, { id })).code));
  expect(codes.sort()).toEqual([200, 409]);
  await app.runJobs();
  expect(await faultOf(second.send(signingJobCalls.download, { id }))).toBe('SIGNING_NO_FILE');
  expect((await download(author, id)).length).toBeGreaterThan(apk.length);
});

test('refused and withdrawn ones are signed by nobody', async () => {
  const [first, other] = [await ask(await upload(author, apk)), await ask(await upload(author, apk))];
  await second.call(signingJobCalls.refuse, { id: first, remark: 'wrong build' });
  await author.call(signingJobCalls.withdraw, { id: other });
  await app.runJobs();
  expect([(await detail(first)).state, (await detail(first)).remark, (await detail(other)).state]).toEqual([
    'refused',
    'wrong build',
    'withdrawn',
  ]);
  expect(await faultOf(second.send(signingJobCalls.approve, { id: first }))).toBe('OVERTAKEN');
});

test('what the policy of the key doesn’t allow is neither asked for nor approved', async () => {
  const keyId = await makeKey(author, second, store);
  const policy = { id: keyId, packageNames: ['com.acme.*'], profiles: ['apk' as const], mostUses: 1, hourFrom: null, hourTo: null };
  await author.call(signingKeyCalls.policy, policy);
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  const add = async (bytes: Buffer, profile: SignProfile) =>
    faultOf(author.send(signingJobCalls.add, { keyId, fileId: await upload(author, bytes), profile }));
  expect(await add(await makeApk({ packageName: 'com.other.pay', signers: [] }), 'apk')).toBe('KEY_PACKAGE');
  expect(await add(apk, 'cms')).toBe('KEY_PROFILE');
  expect(await add(Buffer.from('PK\u0003\u0004 nothing'), 'apk')).toBe('PACKAGE_UNREADABLE');
  const [one, two] = [await ask(await upload(author, apk), 'apk', keyId), await ask(await upload(author, apk), 'apk', keyId)];
  const answers = await Promise.all([second.send(signingJobCalls.approve, { id: one }), third.send(signingJobCalls.approve, { id: two })]);
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 400]);
  await app.runJobs();
  await author.call(signingKeyCalls.suspend, { id: keyId });
  expect(await add(apk, 'apk')).toBe('KEY_NOT_ACTIVE');
});

test('a key that is stopped after the approval signs nothing', async () => {
  const keyId = await makeKey(author, second, store);
  const id = await ask(await upload(author, apk), 'apk', keyId);
  await second.call(signingJobCalls.approve, { id });
  await author.call(signingKeyCalls.suspend, { id: keyId });
  await app.runJobs();
  expect(await detail(id)).toMatchObject({ state: 'failed', reason: 'KEY_NOT_ACTIVE' });
  expect((await author.call(signingKeyCalls.detail, { id: keyId })).uses).toBe(0);
});

test('somebody else’s upload is not found', async () => {
  expect(await faultOf(author.send(signingJobCalls.add, { keyId: key, fileId: await upload(second, apk), profile: 'apk' }))).toBe(
    'NOT_FOUND',
  );
});

test('the vault is killed in the middle: each job ends once, and it comes back by itself', async () => {
  const ids = [await ask(await upload(author, apk)), await ask(await upload(author, apk)), await ask(await upload(author, apk))];
  for (const id of ids) await second.call(signingJobCalls.approve, { id });
  const vaults = () =>
    execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('vault.child'))
      .map((line) => Number.parseInt(line, 10));
  const running = app.runJobs();
  for (const pid of vaults()) process.kill(pid, 'SIGKILL');
  await running;
  await app.runJobs();
  for (const id of ids) {
    expect(await detail(id)).toMatchObject({ state: 'signed' });
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        n: number;
      }>`select count(*)::int as n from state_change where life = 'signingJob' and row_id = ${id} and event = 'finish'`.execute(db),
    );
    expect(rows).toEqual([{ n: 1 }]);
  }
});

test('one that a server left in the middle is taken up again', async () => {
  const id = await ask(await upload(author, apk));
  await second.call(signingJobCalls.approve, { id });
  await app.context.unscoped((db) => sql`update signing_job set state = 'signing' where id = ${id}`.execute(db));
  await app.runJobs();
  expect((await detail(id)).state).toBe('signed');
});

test('what nobody decides on, or nobody fetches, ends in its time; the certificate’s end is said three times', async () => {
  const keyId = await makeKey(author, second, store, { years: 1 });
  const [open, done] = [await ask(await upload(author, apk)), await ask(await upload(author, apk), 'apk', keyId)];
  await second.call(signingJobCalls.approve, { id: done });
  await app.runJobs();
  const began = app.clock.now;
  const sweepAt = async (days: number) => {
    app.clock.now = new Date(began.getTime() + days * DAY);
    await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
    await app.runJobs();
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        days: number;
      }>`select (params->>'days')::int as days from message_message where text_key = 'signingKeyEndsApps' and link = ${`/keypairAdd/${keyId}`} order by id`.execute(
        db,
      ),
    );
    return rows.map((row) => row.days);
  };
  try {
    expect(await sweepAt(8)).toEqual([]);
    expect([(await detail(open)).state, (await detail(done)).keptUntil]).toEqual(['expired', null]);
    const told = await app.context.unscoped((db) =>
      db
        .selectFrom('message_message')
        .select('link')
        .where('text_key', '=', 'signingUndecided')
        .where('link', '=', `/apkTool?job=${open}`)
        .execute(),
    );
    expect(told).toEqual([{ link: `/apkTool?job=${open}` }]);
    expect(await faultOf(author.send(signingJobCalls.download, { id: done }))).toBe('SIGNING_NO_FILE');
    for (const day of [306, 307, 336, 337, 359, 360]) await sweepAt(day);
    expect((await sweepAt(361)).length).toBe(3);
  } finally {
    app.clock.now = began;
  }
});

test('whose account the requester gave, isn’t their second person', async () => {
  const id = await ask(await upload(author, apk));
  const write = (statement: ReturnType<typeof sql>) => app.context.unscoped((db) => statement.execute(db));
  await write(
    sql`insert into account_given (user_id, given_by, what, at) values (${second.userId}, ${author.userId}, 'account', now() - interval '6 days')`,
  );
  expect(await faultOf(second.send(signingJobCalls.approve, { id }))).toBe('CHANGE_ONE_HAND');
  await write(sql`delete from account_given`);
  await write(sql`update account_user set state = '1' where id = ${author.userId}`);
  expect(await faultOf(second.send(signingJobCalls.approve, { id }))).toBe('CHANGE_AUTHOR');
  await write(sql`update account_user set state = '0' where id = ${author.userId}`);
  await write(sql`update signing_job set certificate_sha256 = 'another' where id = ${id}`);
  expect(await faultOf(second.send(signingJobCalls.approve, { id }))).toBe('KEY_CERTIFICATE_CHANGED');
});

test('what was lost after its approval is begun again by the sweep, and given up after some days', async () => {
  const [lost, older, back] = [
    await ask(await upload(author, apk)),
    await ask(await upload(author, apk)),
    await ask(await upload(author, apk)),
  ];
  await app.context.unscoped(async (db) => {
    await sql`update signing_job set state = 'signing', decided_at = ${app.clock.now}::timestamptz - interval '2 hours' where id = ${lost}`.execute(
      db,
    );
    await sql`update signing_job set state = 'approved', decided_at = ${app.clock.now}::timestamptz - interval '4 days' where id = ${older}`.execute(
      db,
    );
    // Its token was away for days.
    await sql`update signing_job set state = 'signing', decided_at = ${app.clock.now}::timestamptz - interval '4 days',
      resumed_at = ${app.clock.now}::timestamptz - interval '1 minute' where id = ${back}`.execute(db);
    await app.context.enqueue(db, 'signing:sweep', {});
  });
  await app.runJobs();
  await app.runJobs();
  expect([(await detail(lost)).state, (await detail(lost)).reason, (await detail(older)).state]).toEqual(['signed', null, 'failed']);
  expect((await detail(back)).state).toBe('signing');
});

test('requests that aren’t over are counted', async () => {
  const fileId = await upload(author, apk);
  const id = await ask(fileId);
  await app.context.unscoped((db) => sql`update signing_job set size = ${jobLimits.person.bytes} where id = ${id}`.execute(db));
  expect(await faultOf(author.send(signingJobCalls.add, { keyId: key, fileId, profile: 'apk' }))).toBe('SIGNING_MANY');
  await author.call(signingJobCalls.withdraw, { id });
  await ask(fileId);
});

test('what a server stored before it ended goes when its job begins again', async () => {
  const id = await ask(await upload(author, apk));
  await second.call(signingJobCalls.approve, { id });
  const { sha256: left } = await files().put(Readable.from([Buffer.from('signed, and forgotten')]));
  await app.context.unscoped((db) => sql`update signing_job set state = 'signing', sha256_after = ${left} where id = ${id}`.execute(db));
  await app.runJobs();
  expect([(await detail(id)).state, await files().size(left)]).toEqual(['signed', undefined]);
});

test('an Android package under another name is known by its manifest, and who approves it sees that it is for tests', async () => {
  const said = { packageName: 'com.other.pay', versionCode: 7, versionName: '7.0', debuggable: true, sharedUser: 'android.uid.system' };
  const other = await makeApk({ ...said, signers: [] });
  const id = await ask(await upload(author, other, 'tool.jar', '3'));
  expect(await second.call(signingJobCalls.detail, { id })).toMatchObject({ ...said, testOnly: false });
});
