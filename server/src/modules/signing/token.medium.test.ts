import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { apksignerSays, missingPrograms } from '@mooring/apk/programs.factory';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { keyAlgorithms, type SignProfile } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { beginMaking, giveUpMaking } from './making.ts';
import { authorities, timeService } from './profile.factory.ts';
import { makeKey, makeProfile, makeStore, newestChange, SUBJECT } from './signing.factory.ts';
import { killTokens, softToken } from './token.factory.ts';
import { openVault } from './vault/vault.ts';

const missing = missingPrograms('softhsm2-util', 'openssl', 'apksigner');
if (missing.length > 0) process.stderr.write(`skipped: keys in a hardware token, because of missing ${missing.join(', ')}\n`);

describe.skipIf(missing.length > 0)('keys in a token, by SoftHSM', () => {
  const PIN = '73915';
  let app: TestApp;
  const { folder, at, conf, settings, count, remove } = softToken(PIN);
  let author: Client;
  let second: Client;
  let bank: { id: number; path: string };
  let store: number;
  let apk: Buffer;
  beforeAll(async () => {
    app = await testApp({ env: { RATE_PUBLIC: '0', ...settings() } });
    bank = await app.dept('Bank');
    [author, second] = [await app.person('signingOfficer', bank), await app.person('signingOfficer', bank)];
    store = await makeStore(author, bank.id, 'token');
    apk = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  });
  afterAll(async () => {
    await app?.stop();
    remove();
  });

  const faultOf = async (sent: ReturnType<Client['send']>) => {
    const { code, body } = await sent;
    return [body?.fault ?? code, ...Object.keys(body?.fields ?? {})];
  };
  const tokenNow = () => author.call(keyStoreCalls.token, {});
  /** A page that asks doesn't wait for a process that begins slowly; a test does. */
  const back = () => expect.poll(tokenNow).toMatchObject({ state: 'there' });
  const upload = async (bytes: Buffer, kind = '4') => {
    const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
    const values = { kind, name: 'pay.apk', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
    return app.context.unscoped(
      async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id,
    );
  };
  /** Asked for and approved; what signs it has run, or has not. */
  const approved = async (keyId: number, profile: SignProfile = 'apk') => {
    const { id } = await author.call(signingJobCalls.add, { keyId, fileId: await upload(apk), profile });
    await second.call(signingJobCalls.approve, { id });
    return id;
  };
  const detail = (id: number) => author.call(signingJobCalls.detail, { id });
  const follow = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'signing:token', {}));
    await app.runJobs();
    await app.runJobs();
  };
  const download = async (id: number): Promise<Buffer> => {
    const headers = { authorization: author.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' };
    return (await app.http.inject({ method: 'POST', url: `/ops${signingJobCalls.download.path}`, headers, payload: { id } })).rawPayload;
  };
  const told = async () => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{ n: number }>`select count(*)::int as n from message_message where text_key = 'signingTokenAway'`.execute(db),
    );
    return rows[0]?.n ?? 0;
  };
  const endings = async (id: number) => {
    const { rows } = await app.context.unscoped((db) =>
      sql`select event from state_change where life = 'signingJob' and row_id = ${id} and event in ('finish', 'fail')`.execute(db),
    );
    return rows;
  };
  test.each(keyAlgorithms)('a key of %s is made there, and others verify what it signs', async (algorithm) => {
    const id = await makeKey(author, second, store, { algorithm });
    const key = await author.call(signingKeyCalls.detail, { id });
    expect([key.state, key.storeKind, key.exportable, key.allowedActions.includes('exportKey')]).toEqual(['active', 'token', false, false]);
    writeFileSync(at('own.pem'), key.chain.join(''));
    const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(openssl('verify', '-CAfile', at('own.pem'), at('own.pem'))).toContain('OK');
    const { pem } = await author.call(signingKeyCalls.request, { id, subject: 'CN=Other, O=Acme' });
    writeFileSync(at('own.csr'), pem);
    openssl('req', '-in', at('own.csr'), '-noout', '-verify');
    if (algorithm !== 'rsa2048' && algorithm !== 'p256') return;
    const job = await approved(id);
    await app.runJobs();
    expect(await detail(job)).toMatchObject({ state: 'signed', waitsSince: null });
    writeFileSync(at('signed.apk'), await download(job));
    expect(await apksignerSays(at('signed.apk'))).toMatchObject({ ok: true, sha256: key.certificateSha256 });
  });

  test('a key never leaves, none comes in, and what is sealed of it is no key of the vault', async () => {
    const input = { storeId: store, name: 'Leaving', algorithm: 'p256' as const, subject: SUBJECT, exportable: true };
    expect(await faultOf(author.send(signingKeyCalls.generate, input))).toEqual(['KEY_TOKEN_FIXED', 'exportable']);
    const file = Buffer.from('any file').toString('base64');
    expect(await faultOf(author.send(signingKeyCalls.import, { storeId: store, name: 'Coming', file }))).toEqual([
      'KEY_STORE_TOKEN',
      'storeId',
    ]);
    const id = await makeKey(author, second, store);
    expect(await faultOf(author.send(signingKeyCalls.exportKey, { id }))).toEqual(['KEY_NOT_EXPORTABLE']);
    // Whoever changes the database makes neither of the other.
    await app.context.unscoped((db) => sql`update signing_store set kind = 'software' where id = ${store}`.execute(db));
    const job = await approved(id);
    await app.runJobs();
    expect(await detail(job)).toMatchObject({ state: 'failed', reason: 'SIGNING_FAILED' });
    await app.context.unscoped((db) => sql`update signing_store set kind = 'token' where id = ${store}`.execute(db));
    const soft = await makeKey(author, second, await makeStore(author, bank.id));
    await app.context.unscoped((db) =>
      sql`update signing_secret set sealed = (select sealed from signing_secret where key_id = ${id}) where key_id = ${soft}`.execute(db),
    );
    await app.context.unscoped((db) => sql`update signing_key set store_id = ${store} where id = ${soft}`.execute(db));
    expect((await author.send(signingKeyCalls.request, { id: soft, subject: SUBJECT })).code).toBe(500);
  });

  test('another object in a key’s place signs nothing in its name', async () => {
    const [one, other] = [await makeKey(author, second, store), await makeKey(author, second, store)];
    const vault = openVault(app.context);
    const rows = await app.context.unscoped((db) =>
      db
        .selectFrom('signing_secret as x')
        .innerJoin('signing_key as k', 'k.id', 'x.key_id')
        .select(['k.id', 'x.sealed', 'k.public_key'])
        .where('k.id', 'in', [one, other])
        .orderBy('k.id')
        .execute(),
    );
    const [first, last] = rows.map((row) => ({
      kind: 'token' as const,
      sealed: row.sealed,
      publicKey: row.public_key,
      exportable: false,
    }));
    if (!first || !last) throw new Error('no keys');
    const data = Buffer.from('bytes');
    await expect(vault.sign({ ...first, sealed: last.sealed, digest: 'sha256', data })).rejects.toThrow();
    expect((await vault.sign({ ...first, digest: 'sha256', data })).length).toBeGreaterThan(60);
    // On the token itself: its object is taken away, and another one made under its id.
    const { name } = await author.call(signingKeyCalls.detail, { id: one });
    const swap = `
      import koffi from 'koffi';
      import { loadPkcs11 } from './vault/pkcs11.ts';
      const p11 = loadPkcs11(koffi, ${JSON.stringify(at('module.so'))});
      p11.initialize();
      const session = p11.open(p11.slots().find((slot) => p11.token(slot).label === 'mooring test'));
      p11.login(session, Buffer.from('${PIN}'));
      const LABEL = Buffer.from(${JSON.stringify(name)});
      const [key] = p11.find(session, { CLASS: 3, LABEL });
      const ID = p11.read(session, key, 'ID');
      p11.destroy(session, key);
      const EC_PARAMS = Buffer.from('06082a8648ce3d030107', 'hex');
      p11.generate(session, 0x1040, { TOKEN: true, ID, EC_PARAMS }, { TOKEN: true, PRIVATE: true, SIGN: true, ID });
    `;
    const env = { ...process.env, SOFTHSM2_CONF: conf() };
    execFileSync(process.execPath, ['--input-type=module', '-e', swap], { cwd: import.meta.dirname, env, stdio: 'pipe' });
    killTokens();
    await expect(vault.sign({ ...first, digest: 'sha256', data })).rejects.toMatchObject({ fault: 'SIGNATURE_MISMATCH' });
    vault.stop();
  });

  test('while it is away jobs wait, say so, and go on by themselves; its people are told once', async () => {
    const id = await makeKey(author, second, store);
    const before = await told();
    const ways: readonly [string, () => void, () => void][] = [
      ['module', () => renameSync(at('module.so'), at('gone.so')), () => renameSync(at('gone.so'), at('module.so'))],
      ['token', () => renameSync(at('tokens'), at('pocket')), () => renameSync(at('pocket'), at('tokens'))],
      ['pinFile', () => renameSync(at('pin'), at('no-pin')), () => renameSync(at('no-pin'), at('pin'))],
    ];
    for (const [count, [reason, take, bring]] of ways.entries()) {
      take();
      if (reason === 'token') mkdirSync(at('tokens'));
      killTokens();
      const jobs = [await approved(id), await approved(id, 'cms')];
      await app.runJobs();
      await follow();
      await expect.poll(tokenNow).toEqual({ state: 'away', label: 'mooring test', reason });
      for (const job of jobs) expect(await detail(job)).toMatchObject({ state: 'signing', waitsSince: expect.any(String) });
      expect(await told()).toBe(before + count + 1);
      if (reason === 'token') rmSync(at('tokens'), { recursive: true });
      bring();
      await back();
      await follow();
      for (const job of jobs) {
        expect(await detail(job)).toMatchObject({ state: 'signed', waitsSince: null });
        expect(await endings(job)).toEqual([{ event: 'finish' }]);
      }
    }
  });

  test('a token that is taken out while it is in use is noticed, and its process may die in the middle', async () => {
    const id = await makeKey(author, second, store);
    renameSync(at('tokens'), at('pocket'));
    const job = await approved(id);
    await app.runJobs();
    expect(await detail(job)).toMatchObject({ state: 'signing', waitsSince: expect.any(String) });
    renameSync(at('pocket'), at('tokens'));
    await back();
    await follow();
    expect(await detail(job)).toMatchObject({ state: 'signed', waitsSince: null });
    const more = [await approved(id), await approved(id)];
    const running = app.runJobs();
    expect(killTokens()).toBeGreaterThan(0);
    await running;
    await back();
    await follow();
    for (const one of more) {
      expect((await detail(one)).state).toBe('signed');
      expect(await endings(one)).toEqual([{ event: 'finish' }]);
    }
  });

  test('a job is forgiven an absence of hours, and no moment in which the token answers and doesn’t sign', async () => {
    const id = await makeKey(author, second, store);
    const began = app.clock.now;
    const resumed = async (job: number) =>
      (await app.context.unscoped((db) => db.selectFrom('signing_job').select('resumed_at').where('id', '=', job).executeTakeFirst()))
        ?.resumed_at;
    const away = async (minutes: number) => {
      renameSync(at('tokens'), at('pocket'));
      const job = await approved(id);
      await app.runJobs();
      app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
      renameSync(at('pocket'), at('tokens'));
      await back();
      await follow();
      return resumed(job);
    };
    try {
      expect(await away(1)).toBeNull();
      expect(await away(120)).toEqual(app.clock.now);
    } finally {
      app.clock.now = began;
    }
  });

  test('what waits for a token ends with its key', async () => {
    const id = await makeKey(author, second, store);
    renameSync(at('module.so'), at('gone.so'));
    killTokens();
    const job = await approved(id);
    await app.runJobs();
    expect((await detail(job)).waitsSince).not.toBeNull();
    await author.call(signingKeyCalls.suspend, { id });
    await follow();
    expect(await detail(job)).toMatchObject({ state: 'failed', reason: 'KEY_NOT_ACTIVE', waitsSince: null });
    renameSync(at('gone.so'), at('module.so'));
    await back();
    await follow();
  });

  test('a key that nobody agreed to goes from the token, and one whose name is taken', async () => {
    const before = count();
    await author.call(signingKeyCalls.generate, { storeId: store, name: 'Unwanted', algorithm: 'p256', subject: SUBJECT });
    await second.call(keyChangeCalls.refuse, { id: (await newestChange(second)).id, remark: 'no' });
    await follow();
    expect(count()).toBe(before);
    // A name that is taken: what was made for it goes at once.
    const name = (await author.call(signingKeyCalls.detail, { id: await makeKey(author, second, store) })).name;
    const twice = { storeId: store, name, algorithm: 'p256', subject: SUBJECT };
    expect(await faultOf(author.send(signingKeyCalls.generate, twice))).toEqual(['KEY_NAME_TAKEN', 'name']);
    expect(count()).toBe(before + 2);
  });

  test('what a server left on the token when it ended before it kept the key goes after an hour; a key that is kept stays', async () => {
    const makings = () => app.context.unscoped((db) => db.selectFrom('signing_making').select(['id', 'sealed']).execute());
    const vault = openVault(app.context);
    const before = count();
    const making = await beginMaking(app.context, vault);
    const made = await vault.generate({ name: 'Lost', algorithm: 'p256', exportable: false, reserved: making.sealed });
    // Another one ended before there was a key.
    await beginMaking(app.context, vault);
    const id = await makeKey(author, second, store);
    await follow();
    expect([count(), (await makings()).length]).toEqual([before + 4, 2]);
    const began = app.clock.now;
    app.clock.now = new Date(began.getTime() + 2 * 3_600_000);
    await follow();
    app.clock.now = began;
    expect([count(), await makings()]).toEqual([before + 2, []]);
    await author.call(signingKeyCalls.request, { id, subject: SUBJECT });
    // A server that comes late keeps nothing, and leaves nothing.
    const owner = (text: string) => app.context.pools.owner.query(text);
    await owner(`create function late() returns trigger language plpgsql as $$ begin delete from signing_making; return null; end $$`);
    await owner('create trigger late after insert on signing_making for each row execute function late()');
    const input = { storeId: store, name: 'Late', algorithm: 'p256' as const, subject: SUBJECT };
    expect(await faultOf(author.send(signingKeyCalls.generate, input))).toEqual(['UNAVAILABLE']);
    await owner('drop function late() cascade');
    expect(count()).toBe(before + 2);
    // The end of a transaction was lost that kept it all the same.
    const again = await beginMaking(app.context, vault);
    const kept = await vault.generate({ name: 'Kept', algorithm: 'p256', exportable: false, reserved: again.sealed });
    await app.context.unscoped(async (db) => {
      await db.updateTable('signing_secret').set({ sealed: kept.sealed }).where('key_id', '=', id).execute();
      await db.deleteFrom('signing_making').where('id', '=', again.id).execute();
    });
    await giveUpMaking(app.context, vault, again, kept);
    expect(count()).toBe(before + 4);
    await giveUpMaking(app.context, vault, again, made);
    expect(count()).toBe(before + 2);
    vault.stop();
  });

  test('a wrong PIN is tried once, whoever asks and however often the process begins, and is written nowhere', async () => {
    const marks = join(app.dataDir, 'token-pin-refused');
    writeFileSync(at('pin'), '99999');
    killTokens();
    await expect.poll(tokenNow).toMatchObject({ state: 'away', reason: 'pin' });
    const mark = readFileSync(marks, 'utf8');
    expect(mark).not.toContain('99999');
    expect(JSON.stringify(await author.send(keyStoreCalls.token, {}))).not.toContain(mark);
    // The mark alone decides: under it the right PIN isn't tried either, until the mark is of another one.
    const key = app.context.masterKey.derive('signing-token');
    writeFileSync(at('pin'), PIN);
    writeFileSync(marks, createHmac('sha256', key).update(PIN).digest('hex'));
    killTokens();
    await expect.poll(tokenNow).toMatchObject({ state: 'away', reason: 'pin' });
    writeFileSync(marks, mark);
    await expect.poll(tokenNow).toMatchObject({ state: 'there' });
  });

  test('one that waited for its time stamp, and misses its token by now, says so', async () => {
    const service = await timeService(folder, authorities(folder).root('Clocks'));
    const began = app.clock.now;
    try {
      // Authorities are made by the machine's clock.
      app.clock.now = new Date(began.getTime() + 3_600_000);
      const admin = await app.person('platformAdmin', app.root, 'manager');
      await admin.call(systemSettingCalls.outbound, { timestamps: ['127.0.0.1'] });
      const keyId = await makeKey(author, second, store);
      const stamped = { timeUrl: service.url, timeRoot: readFileSync(at('Clocks.pem'), 'utf8') };
      const profile = await makeProfile(author, second, { name: 'Stamped', deptId: bank.id, kind: 'cms', keyId, ...stamped });
      service.answers = false;
      const { id } = await author.call(signingJobCalls.add, { fileId: await upload(apk), profileId: profile.id });
      await second.call(signingJobCalls.approve, { id });
      await app.runJobs();
      expect(await detail(id)).toMatchObject({ state: 'signing', waitsFor: 'time' });
      const before = await told();
      renameSync(at('module.so'), at('gone.so'));
      killTokens();
      service.answers = true;
      app.clock.now = new Date(began.getTime() + 2 * 3_600_000);
      await follow();
      expect(await detail(id)).toMatchObject({ state: 'signing', waitsFor: 'token', waitsSince: app.clock.now.toISOString() });
      expect(await told()).toBe(before + 1);
      renameSync(at('gone.so'), at('module.so'));
      await back();
      await follow();
      expect(await detail(id)).toMatchObject({ state: 'signed', waitsFor: null, stampedBy: 'CN=Clock, O=Acquirer' });
    } finally {
      app.clock.now = began;
      await service.stop();
    }
  });

  test('a server without a token makes no store in one, and says of those that are there that it has none', async () => {
    const other = await testApp({ env: { RATE_PUBLIC: '0' } });
    try {
      const person = await other.person('signingOfficer', await other.dept('Bank'));
      expect(await person.call(keyStoreCalls.token, {})).toMatchObject({ state: 'unset' });
      const input = { name: 'Token', deptId: 2, kind: 'token' };
      expect(await faultOf(person.send(keyStoreCalls.add, { ...input, deptId: (await other.dept('Own')).id }))).not.toEqual([200]);
      const admin = await other.person('platformAdmin', other.root);
      expect(await faultOf(admin.send(keyStoreCalls.add, input))).toEqual(['KEY_TOKEN_UNSET', 'kind']);
    } finally {
      await other.stop();
    }
  });
});
