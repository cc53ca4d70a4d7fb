import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { makeKey, makeStore } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let foreign: Client;
let bank = { id: 0, path: '' };

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  foreign = await app.person('signingOfficer', await app.dept('Other'));
});
afterAll(() => app?.stop());

const fetched = (as: Client, id: number) =>
  app.http.inject({
    method: 'POST',
    url: `/ops${signingJobCalls.source.path}`,
    headers: { authorization: as.token, 'accept-platform': 'centre', 'accept-deptid': '0', 'content-type': 'application/json' },
    payload: { id },
  });
const faultOf = async (as: Client, id: number) => (await as.send(signingJobCalls.source, { id })).body?.fault;

test('who may approve a signature reads the bytes that it is for, while it is to be decided, and the log says so', async () => {
  const keyId = await makeKey(author, second, await makeStore(author, bank.id));
  const apk = await makeApk({ packageName: 'com.acme.pay', signers: [] });
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([apk]));
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  const { id: fileId } = await app.context.unscoped((db) =>
    db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  const { id } = await author.call(signingJobCalls.add, { keyId, fileId });

  const answer = await fetched(second, id);
  expect(answer.rawPayload.equals(apk)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''pay.apk",
    'cache-control': 'private, no-store',
    'content-length': String(apk.length),
  });
  const { rows } = await app.context.unscoped((db) =>
    sql`select actor_id::int as actor, target from audit_entry where call like ${`%${signingJobCalls.source.path}`}`.execute(db),
  );
  expect(rows).toEqual([{ actor: second.userId, target: 'signing of pay.apk' }]);
  const seen = await second.call(signingJobCalls.detail, { id });
  expect(seen.allowedActions).toContain('source');
  expect((await author.call(signingJobCalls.detail, { id })).allowedActions).not.toContain('source');

  expect(await faultOf(author, id)).toBe('CHANGE_OWN');
  expect(await faultOf(foreign, id)).toBe('NOT_FOUND');
  await second.call(signingJobCalls.refuse, { id, remark: 'no' });
  expect(await faultOf(second, id)).toBe('SIGNING_NO_FILE');
});
