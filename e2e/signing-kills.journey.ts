import { createHash, randomBytes } from 'node:crypto';
import { makeApk } from '@mooring/apk/apk.factory';
import { logCalls } from '@mooring/contract/audit-log/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, api, signIn } from './api.ts';
import { uploadFile } from './estate.ts';
import { type Demo, startDemo, waitFor } from './stack.ts';

let demo: Demo;
let officer: Api;
let second: Api;
beforeAll(async () => {
  demo = await startDemo();
  const as = async (account: string) => api(demo.stack.url, await signIn(demo.stack.url, account, demo.password), 'centre');
  [officer, second] = [await as('sam.signing'), await as('hui.manager')];
});
afterAll(() => demo?.stack.stop());

const SIZE = 6_000_000;
const over = ['signed', 'failed'];

test('a server that is killed while it signs ends each approved signature exactly once', async () => {
  const { stack, password, admin } = demo;
  const [dept] = await officer.call(deptCalls.search, {});
  const store = await officer.call(keyStoreCalls.add, { name: 'Killed', deptId: dept?.id, kind: 'software' });
  await officer.call(signingKeyCalls.generate, { storeId: store.id, name: 'Killed', algorithm: 'rsa4096', subject: 'CN=Killed, O=Acme' });
  const [change] = (await second.call(keyChangeCalls.page, {})).content;
  await second.call(keyChangeCalls.approve, { id: change?.id });
  const assets = { 'assets/noise.bin': randomBytes(SIZE) };
  const files = [
    ...[1, 2].map((n) => ({ name: `killed-${n}.txt`, bytes: randomBytes(SIZE), kind: '8', profile: 'cms' })),
    {
      name: 'killed-3.apk',
      bytes: await makeApk({ packageName: 'com.example.killed', files: assets, signers: [] }),
      kind: '4',
      profile: 'apk',
    },
  ];
  const ids: number[] = [];
  for (const { name, bytes, kind, profile } of files) {
    const fileId = await uploadFile(stack.url, password, kind, name, bytes, 'sam.signing');
    ids.push((await officer.call(signingJobCalls.add, { keyId: change?.keyId, fileId, profile })).id);
  }
  const states = () => Promise.all(ids.map(async (id) => (await officer.call(signingJobCalls.detail, { id })).state));
  await Promise.all(ids.map((id) => second.call(signingJobCalls.approve, { id })));
  await waitFor(async () => (await states()).some((state) => state === 'signing' || over.includes(state)), 'the first of them', 30, 1);
  const before = await states();
  await stack.killAndStart();
  expect(before.every((state) => over.includes(state))).toBe(false);
  await waitFor(async () => (await states()).every((state) => over.includes(state)), 'the end of all', 120);
  const log = (await admin.call(logCalls.page, { criteria: { text: 'killed-' }, page: { size: 100 } })).content;
  for (const [at, { name, bytes }] of files.entries()) {
    const job = await officer.call(signingJobCalls.detail, { id: ids[at] });
    expect([job.state, job.sha256Before]).toEqual(['signed', createHash('sha256').update(bytes).digest('hex')]);
    const ends = log.filter((row) => row.call === 'signing:sign' && row.target === `signing of ${name}`);
    expect(ends.map(({ result }) => result)).toEqual(['done']);
    const { after } = await admin.call(logCalls.detail, { id: ends[0]?.id });
    expect(after).toMatchObject({ sha256Before: job.sha256Before, sha256After: job.sha256After });
  }
  expect((await officer.call(signingKeyCalls.detail, { id: change?.keyId })).uses).toBe(3);
});
