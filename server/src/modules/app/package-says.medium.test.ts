import { makeSigner } from '@mooring/apk/signer.factory';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring } from './app.factory.ts';

/** What a reviewer is told of a package that nobody wrote into its listing. */
let app: TestApp;
let maker: DeptAt;
let other: DeptAt;
let developer: Client;
let theirs: Client;
let reviewer: Client;
beforeAll(async () => {
  app = await testApp();
  [maker, other] = [await app.dept('Maker'), await app.dept('Other maker')];
  [developer, theirs] = [await app.person('developer', maker), await app.person('developer', other)];
  reviewer = await app.person('reviewer', app.root);
  await becomeDeveloper(developer, reviewer);
  await becomeDeveloper(theirs, reviewer);
});
afterAll(() => app.stop());

const compare = (who: Client, id: number) => who.call(appVersionCalls.compare, { id });

test('what terminals call it, whose user it runs as, and up to which Android', async () => {
  const plain = await bring(app, developer, maker, { packageName: 'com.example.plain' });
  expect(plain).toMatchObject({ labels: { '': 'Till' }, sharedUser: '', maxSdk: null });
  const { id } = await bring(app, developer, maker, {
    packageName: 'com.example.plain',
    versionCode: 2,
    labels: { '': 'Bank of Elsewhere', 'zh-CN': '别的银行' },
    sharedUser: 'android.uid.system',
    maxSdk: 34,
  });
  expect((await compare(reviewer, id)).now).toMatchObject({
    labels: { '': 'Bank of Elsewhere', 'zh-CN': '别的银行' },
    sharedUser: 'android.uid.system',
    maxSdk: 34,
  });
});

test('others that bring an app by its package name are named to whoever sees them, with whether their key is the same', async () => {
  const mine = await bring(app, developer, maker, { packageName: 'com.example.twice' });
  expect((await compare(reviewer, mine.id)).namesakes).toEqual([]);
  const foreign = await bring(app, theirs, other, {
    packageName: 'com.example.twice',
    signers: [await makeSigner({ name: 'Elsewhere' })],
  });
  expect((await compare(reviewer, mine.id)).namesakes).toEqual([{ appId: foreign.appId, deptName: 'Other maker', sameKey: false }]);
  expect((await compare(reviewer, foreign.id)).namesakes).toEqual([{ appId: mine.appId, deptName: 'Maker', sameKey: false }]);
  expect((await compare(developer, mine.id)).namesakes).toEqual([]);
  await theirs.call(appVersionCalls.delete, { id: foreign.id });
  expect((await compare(reviewer, mine.id)).namesakes).toEqual([]);
});
