import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { missingPrograms } from '@mooring/apk/programs.factory';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { beginMaking } from './making.ts';
import { makeKey, makeStore, newestChange, SUBJECT } from './signing.factory.ts';
import { killTokens, softToken } from './token.factory.ts';
import { openVault } from './vault/vault.ts';

const missing = missingPrograms('softhsm2-util');
if (missing.length > 0) process.stderr.write(`skipped: what is left on a hardware token, because of missing ${missing.join(', ')}\n`);
const HOUR = 3_600_000;

describe.skipIf(missing.length > 0)('what is left on a token, by SoftHSM', () => {
  let token: ReturnType<typeof softToken>;
  let app: TestApp;
  let author: Client;
  let second: Client;
  let bank: { id: number; path: string };
  let store: number;
  const log: string[] = [];

  beforeAll(async () => {
    token = softToken('73915');
    app = await testApp({ env: { RATE_PUBLIC: '0', ...token.settings() }, logTo: { write: (line) => log.push(line) } });
    bank = await app.dept('Bank');
    [author, second] = [await app.person('signingOfficer', bank), await app.person('signingOfficer', bank)];
    store = await makeStore(author, bank.id, 'token');
  });
  afterAll(async () => {
    await app?.stop();
    token?.remove();
  });

  const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped((db) => query.execute(db));
  const makings = async () => (await run(sql<{ id: number }>`select id from signing_making order by id`)).rows.map(({ id }) => id);
  const follow = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'signing:token', {}));
    await app.runJobs();
    await app.runJobs();
  };
  const there = () => expect.poll(() => author.call(keyStoreCalls.token, {})).toMatchObject({ state: 'there' });
  const detail = (id: number) => author.call(signingJobCalls.detail, { id });
  const said = (text: string) => log.filter((line) => line.includes(text)).length;
  async function approved(keyId: number): Promise<number> {
    const bytes = await makeApk({ packageName: 'com.acme.pay', signers: [] });
    const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([bytes]));
    const values = {
      kind: '4',
      name: 'pay.apk',
      size,
      sha256,
      md5,
      user_id: author.userId,
      dept_path: bank.path,
      created_at: app.clock.now,
    };
    const file = await app.context.unscoped((db) => db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow());
    const { id } = await author.call(signingJobCalls.add, { keyId, fileId: file.id, profile: 'cms' });
    await second.call(signingJobCalls.approve, { id });
    return id;
  }
  const lost = async (sealed: Buffer, ago = 2 * HOUR) =>
    run(sql`insert into signing_making (sealed, created_at) values (${sealed}, ${new Date(app.clock.now.getTime() - ago)})`);
  /** A key that another person refused: its object goes with the next turn. */
  async function refusedKey(): Promise<number> {
    await author.call(signingKeyCalls.generate, {
      storeId: store,
      name: `Refused ${randomBytes(4).toString('hex')}`,
      algorithm: 'p256',
      subject: SUBJECT,
    });
    const { id, keyId } = await newestChange(second);
    await second.call(keyChangeCalls.refuse, { id, remark: 'no' });
    return keyId;
  }

  test('what the token doesn’t give up, or nobody can read, keeps neither signatures nor what is left beside it', async () => {
    const keyId = await makeKey(author, second, store);
    const before = token.count();
    const unread = await refusedKey();
    await run(sql`update signing_secret set sealed = ${randomBytes(80)} where key_id = ${unread}`);
    const left = token.count();
    await refusedKey();
    await lost(randomBytes(80));
    const vault = openVault(app.context);
    const making = await beginMaking(app.context, vault);
    await vault.generate({ name: 'Lost', algorithm: 'p256', exportable: false, reserved: making.sealed });
    vault.stop();
    await run(sql`update signing_making set created_at = ${new Date(app.clock.now.getTime() - 2 * HOUR)} where id = ${making.id}`);
    renameSync(token.at('module.so'), token.at('gone.so'));
    killTokens();
    const job = await approved(keyId);
    await app.runJobs();
    expect(await detail(job)).toMatchObject({ state: 'signing', waitsFor: 'token' });
    renameSync(token.at('gone.so'), token.at('module.so'));
    await there();
    await follow();
    expect(await detail(job)).toMatchObject({ state: 'signed', waitsFor: null });
    expect(token.count()).toBe(left);
    expect(left).toBe(before + 2);
    expect((await makings()).length).toBe(1);
    expect(said('the token keeps what is left over')).toBe(2);
    // Each is tried again in an hour, not each minute.
    await follow();
    expect(said('the token keeps what is left over')).toBe(2);
    await run(sql`delete from signing_making`);
    await run(sql`delete from signing_secret where key_id = ${unread}`);
  });

  test('a destroyed key goes from its token at once, or when that is back', async () => {
    const before = token.count();
    const left = async (id: number) => {
      const { state, remains, allowedActions } = await author.call(signingKeyCalls.detail, { id });
      return [state, remains, allowedActions.includes('writeOff'), token.count()];
    };
    const destroyed = async () => {
      const id = await makeKey(author, second, store);
      await author.call(signingKeyCalls.destroy, { id });
      return { id, change: (await newestChange(second)).id };
    };
    const atOnce = await destroyed();
    await second.call(keyChangeCalls.approve, { id: atOnce.change });
    expect(await left(atOnce.id)).toEqual(['destroyed', null, false, before]);
    const away = await destroyed();
    expect(token.count()).toBe(before + 2);
    renameSync(token.at('module.so'), token.at('gone.so'));
    killTokens();
    await second.call(keyChangeCalls.approve, { id: away.change });
    expect(await left(away.id)).toEqual(['destroyed', 'waits', true, before + 2]);
    renameSync(token.at('gone.so'), token.at('module.so'));
    await there();
    await follow();
    expect(await left(away.id)).toEqual(['destroyed', null, false, before]);
  });

  test('what is left on a token that was replaced disturbs the one in use by nothing, takes turns, and is forgotten after thirty days', async () => {
    const vault = openVault(app.context);
    const { sealed } = await vault.reserve();
    vault.stop();
    const gone = await refusedKey();
    renameSync(token.at('tokens'), token.at('pocket'));
    token.make();
    killTokens();
    await there();
    const keyId = await makeKey(author, second, store);
    for (let made = 0; made < 100; made += 1) await lost(sealed);
    await lost(sealed, 31 * 24 * HOUR);
    const own = openVault(app.context);
    const making = await beginMaking(app.context, own);
    const before = token.count();
    await own.generate({ name: 'Lost', algorithm: 'p256', exportable: false, reserved: making.sealed });
    own.stop();
    await run(sql`update signing_making set created_at = ${new Date(app.clock.now.getTime() - 2 * HOUR)} where id = ${making.id}`);
    const [away, answers] = [said('the token is away'), said('the token answers')];
    await follow();
    expect((await makings()).length).toBe(101);
    await follow();
    expect([(await makings()).includes(making.id), token.count()]).toEqual([false, before]);
    expect([said('the token is away'), said('the token answers')]).toEqual([away, answers]);
    const rows = await run(sql<{ n: number }>`select count(*)::int as n from signing_secret where key_id = ${gone}`);
    expect(rows.rows).toEqual([{ n: 1 }]);
    const job = await approved(keyId);
    await app.runJobs();
    expect((await detail(job)).state).toBe('signed');
    rmSync(token.at('tokens'), { recursive: true });
    renameSync(token.at('pocket'), token.at('tokens'));
    killTokens();
    await there();
    app.clock.now = new Date(app.clock.now.getTime() + 2 * HOUR);
    await follow();
    expect((await run(sql<{ n: number }>`select count(*)::int as n from signing_secret where key_id = ${gone}`)).rows).toEqual([{ n: 0 }]);
  });

  test('what is left on a token that was replaced is said with its key, tried ever more rarely, and put to rest by two people', async () => {
    const left = (id: number) => author.call(signingKeyCalls.detail, { id });
    const gone = await refusedKey();
    expect((await left(gone)).remains).toBe('waits');
    await follow();
    expect((await left(gone)).remains).toBe(null);
    const lostOne = await refusedKey();
    renameSync(token.at('tokens'), token.at('pocket'));
    token.make();
    killTokens();
    await there();
    await follow();
    const one = await left(lostOne);
    expect([one.state, one.remains, one.allowedActions.includes('writeOff')]).toEqual(['destroyed', 'elsewhere', true]);
    const tries = () => said('what is left is on another token');
    const before = tries();
    for (let hours = 0; hours < 48; hours += 1) {
      app.clock.now = new Date(app.clock.now.getTime() + HOUR);
      await follow();
    }
    // After one hour, two, four, eight and sixteen; from then on each day.
    expect(tries() - before).toBe(5);
    // Told once to each who keeps the keys: neither by each try, nor of the one that went.
    const told = await run(
      sql<{ key: string; n: number }>`select text_key as key, count(*)::int as n from message_message
        where link in (${`/keypairAdd/${lostOne}`}, ${`/keypairAdd/${gone}`}) and text_key in ('signingKeyElsewhere', 'signingKeyKept') group by 1`,
    );
    expect(told.rows).toEqual([{ key: 'signingKeyElsewhere', n: 1 }]);

    await author.call(signingKeyCalls.writeOff, { id: lostOne });
    expect((await left(lostOne)).remains).toBe('elsewhere');
    const change = await newestChange(second);
    expect(change.changes).toMatchObject([{ field: 'remains', after: 'forgotten' }]);
    await run(sql`update signing_key set remains = 'kept' where id = ${lostOne}`);
    expect((await author.send(keyChangeCalls.approve, { id: change.id })).body?.fault).toBe('CHANGE_OWN');
    await second.call(keyChangeCalls.approve, { id: change.id });
    const after = await left(lostOne);
    expect([after.remains, after.allowedActions.includes('writeOff')]).toEqual(['forgotten', false]);
    const rows = await run(sql<{ n: number }>`select count(*)::int as n from signing_secret where key_id = ${lostOne}`);
    expect(rows.rows).toEqual([{ n: 0 }]);
    expect((await author.send(signingKeyCalls.writeOff, { id: lostOne })).body?.fault).toBe('OVERTAKEN');
    app.clock.now = new Date(app.clock.now.getTime() + 48 * HOUR);
    await follow();
    expect(tries() - before).toBe(5);

    // The token comes back while a second person is asked: what is gone isn't written off as well.
    rmSync(token.at('tokens'), { recursive: true });
    renameSync(token.at('pocket'), token.at('tokens'));
    killTokens();
    await there();
    const back = await refusedKey();
    await run(sql`update signing_key set remains = 'elsewhere' where id = ${back}`);
    await author.call(signingKeyCalls.writeOff, { id: back });
    const late = await newestChange(second);
    await follow();
    expect((await left(back)).remains).toBe(null);
    expect((await second.send(keyChangeCalls.approve, { id: late.id })).body?.fault).toBe('CHANGE_OUTDATED');
    const used = await makeKey(author, second, store);
    expect((await author.send(signingKeyCalls.writeOff, { id: used })).body?.fault).toBe('OVERTAKEN');
  });
});
