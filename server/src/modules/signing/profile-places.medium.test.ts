import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { addDept, type DeptAt } from '../org/api.ts';
import { profilesOf } from './api.ts';
import { deleteProfile, makeProfile, newestChange } from './signing.factory.ts';

/** Which profile holds goes by where an organisation stands, and one person moves and merges those. */
let app: TestApp;
let admin: Client;
let region: DeptAt;
let other: DeptAt;
let bank: DeptAt;
let author: Client;
let second: Client;
let productId = 0;
let made = 0;
const LINE: DeptAt = { id: 2, path: '1.2.' };

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app?.stop());
beforeEach(async () => {
  made += 1;
  const unit = (name: string) => app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: `${name} ${made}`, parent: LINE }));
  [region, other] = [await unit('Region'), await unit('Other')];
  bank = await app.dept(`Bank ${made}`, region);
  [author, second] = [await app.person('signingOfficer', region), await app.person('signingOfficer', region)];
  productId = await makeProduct(app, LINE, `R${made}`);
});
const sent = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const workOf = async (client: Client, id: number | null) => {
  const { state, reason } = await client.call(backgroundJobCalls.detail, { id: id ?? 0 });
  return reason ?? state;
};
const held = async (path: string) => {
  const of = { sha256: 'a'.repeat(64), certificates: null };
  return (await app.context.unscoped((db) => profilesOf(db, [productId], of, path, app.clock.now))).map(({ profile }) => profile);
};
const profileAt = (at: DeptAt, name: string) => makeProfile(author, second, { name, deptId: at.id, kind: 'cms', productIds: [productId] });

test('nobody leaves a signing profile by moving an organisation: two people give it one of its own first', async () => {
  await profileAt(region, 'Strict');
  const move = { id: bank.id, parentId: other.id };
  const asked = await admin.send(deptCalls.move, { ...move, preview: true });
  expect(asked.body?.fault).toBe('DEPT_PROFILE');
  for (const name of ['“Strict”', `Product R${made}`, `Bank ${made}`]) expect(asked.message).toContain(name);
  expect(await sent(admin.send(deptCalls.move, move))).toBe('DEPT_PROFILE');
  expect(await held(bank.path)).toEqual(['Strict']);
  await profileAt(bank, 'Own');
  const { work } = await admin.call(deptCalls.move, move);
  await app.runJobs();
  expect(await workOf(admin, work)).toBe('done');
  expect(await held(`${other.path}${bank.id}.`)).toEqual(['Own']);
});

test('nor by merging it, and what it brings along hides none of the organisation that it is merged into', async () => {
  const target = await app.dept(`Target ${made}`, other);
  const strict = await profileAt(region, 'Strict');
  expect(await sent(admin.send(deptCalls.merge, { id: bank.id, into: target.id }))).toBe('DEPT_PROFILE');
  expect(await sent(admin.send(deptCalls.merge, { id: target.id, into: bank.id }))).toBe(200);
  await app.runJobs();
  expect(await held(bank.path)).toEqual(['Strict']);
  const third = await app.dept(`Third ${made}`, region);
  await profileAt(third, 'Lax');
  expect(await sent(admin.send(deptCalls.merge, { id: third.id, into: bank.id }))).toBe('DEPT_PROFILE');
  expect(strict.name).toBe('Strict');
});

test('what is past the sight of who moves isn’t named, and no signing right is asked for', async () => {
  await profileAt(region, 'Strict');
  const mover = await app.person('productLineAdmin', LINE);
  const names = (await mover.send(deptCalls.move, { id: bank.id, parentId: other.id, preview: true })).body;
  expect(['DEPT_PROFILE', 'DEPT_PROFILE_UNSEEN']).toContain(names?.fault);
  const sees = (await mover.send(signingProfileCalls.page, {})).code === 200;
  expect(names?.fault).toBe(sees ? 'DEPT_PROFILE' : 'DEPT_PROFILE_UNSEEN');
});

test('it is asked again in the transaction that moves, and the work says why without names', async () => {
  const { work } = await admin.call(deptCalls.move, { id: bank.id, parentId: other.id });
  await app.context.unscoped((db) =>
    db
      .insertInto('signing_profile')
      .values({ name: 'Meanwhile', kind: 'cms', product_ids: [productId], dept_id: region.id, dept_path: region.path })
      .execute(),
  );
  await app.runJobs();
  expect(await workOf(admin, work)).toBe('DEPT_PROFILE_UNSEEN');
  expect(await held(bank.path)).toEqual(['Meanwhile']);
});

test('a profile that waits for its second person ends with the organisation that it was to be of, and its author reads why', async () => {
  const target = await app.dept(`Target ${made}`, region);
  await author.call(signingProfileCalls.add, { name: 'Waiting', deptId: bank.id, kind: 'cms', productIds: [productId] });
  const { id } = await newestChange(second);
  await admin.call(deptCalls.merge, { id: bank.id, into: target.id });
  await app.runJobs();
  const found = (await second.call(keyChangeCalls.page, {})).content.find((one) => one.id === id);
  expect(found).toMatchObject({ state: 'refused', remark: expect.stringContaining(`Bank ${made}`), allowedActions: [] });
  expect(await sent(second.send(keyChangeCalls.approve, { id }))).toBe('OVERTAKEN');
  const { rows } = await app.context.unscoped((db) =>
    sql`select m.params ->> 'into' as target, m.params ->> 'subject' as subject from message_message m, settings_change_request c
      where m.text_key = 'profileChangeMerged' and c.id = ${id} and c.input_sealed is null and m.target -> 'users' @> to_jsonb(c.author_id)`.execute(
      db,
    ),
  );
  expect(rows).toEqual([{ target: `Target ${made}`, subject: 'Waiting' }]);
});

test('one that was asked for beside the merge ends with the sweep after it', async () => {
  const target = await app.dept(`Target ${made}`, region);
  await admin.call(deptCalls.merge, { id: bank.id, into: target.id });
  await app.runJobs();
  await author.call(signingProfileCalls.add, { name: 'Beside', deptId: target.id, kind: 'cms' });
  const { id } = await newestChange(second);
  // Begun under the old path, committed after the merge.
  await app.context.unscoped((db) =>
    sql`update settings_change_request set line_id = ${bank.id}, dept_path = ${bank.path} where id = ${id}`.execute(db),
  );
  await app.context.pools.owner.query(`update graphile_worker._private_jobs set run_at = now()`);
  await app.runJobs();
  const found = (await second.call(keyChangeCalls.page, {})).content.find((one) => one.id === id);
  expect(found?.state).toBe('refused');
});

test('a product that a profile names is deleted by nobody: made anew, it would be in none', async () => {
  const id = await makeProduct(app, bank, `D${made}`);
  const profile = await makeProfile(author, second, { name: 'Naming', deptId: region.id, kind: 'cms', productIds: [id] });
  const maker = await app.person('platformAdmin', app.root, 'manager');
  await app.context.unscoped((db) => sql`update product_product set publish_status = '0' where id = ${id}`.execute(db));
  expect(await sent(maker.send(productCalls.delete, { id }))).toBe('PRODUCT_PROFILE');
  expect((await maker.call(productCalls.detail, { id })).id).toBe(id);
  await deleteProfile(author, second, profile.id);
  expect(await sent(maker.send(productCalls.delete, { id }))).toBe(200);
});
