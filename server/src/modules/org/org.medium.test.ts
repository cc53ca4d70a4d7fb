import { userCalls } from '@mooring/contract/account/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { businessUnitCalls, productLineCalls } from '@mooring/contract/org/unit-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { addDept, type DeptAt } from './add-dept.ts';

let app: TestApp;
let admin: Client;
let line: Client;
let region: DeptAt;
let regional: Client;

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  const made = await line.call(deptCalls.add, { parentId: 2, name: 'Region East' });
  region = { id: made.id, path: `1.2.${made.id}.` };
  regional = await app.person('regionMaintainer', region);
});
afterAll(() => app.stop());

const add = (name: string, parentId = region.id, client = regional) => client.call(deptCalls.add, { parentId, name });
const fault = async (asked: Promise<{ code: number; body: { fault?: string } | null }>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};

test('the kind follows from the parent; names are unique among siblings, in any case', async () => {
  expect((await admin.call(deptCalls.detail, { id: region.id })).kind).toBe('businessUnit');
  const bank = await add('Kind bank');
  expect(bank.kind).toBe('organisation');
  expect((await add('Kind bank', bank.id)).kind).toBe('organisation');
  expect(await fault(regional.send(deptCalls.add, { parentId: region.id, name: 'kind BANK' }))).toBe('DEPT_NAME_TAKEN');
  expect((await regional.send(deptCalls.add, { parentId: region.id, name: '' })).code).toBe(400);
  expect((await regional.send(deptCalls.add, { parentId: region.id, name: 'x', kind: 'platform', state: 'closed' })).code).toBe(400);
});

test('a unit’s people change its data, not its state or place; what is above can’t be touched', async () => {
  const bank = await add('Own bank');
  const manager = await app.person('orgManager', { id: bank.id, path: `${region.path}${bank.id}.` });
  const fields = { name: 'Own bank', contactName: 'Jo', contactEmail: 'jo@example.com', timeZone: 'Europe/Berlin' };
  expect(await manager.call(deptCalls.update, { id: bank.id, ...fields })).toMatchObject({ contactName: 'Jo', parentId: null });
  expect(await fault(manager.send(deptCalls.disable, { id: bank.id }))).toBe('DEPT_OWN');
  expect(await fault(manager.send(deptCalls.move, { id: bank.id, parentId: region.id }))).toBe('DEPT_OWN');
  for (const id of [1, 2, region.id]) {
    expect((await manager.send(deptCalls.detail, { id })).code).toBe(404);
    expect((await manager.send(deptCalls.update, { id, ...fields })).code).toBe(404);
    expect((await manager.send(deptCalls.add, { parentId: id, name: 'Above' })).code).toBe(404);
  }
  expect((await manager.send(deptCalls.update, { id: bank.id, ...fields, timeZone: 'Moon/Crater' })).code).toBe(400);
});

test('the tree: one level with counts, a search with all above it', async () => {
  const bank = await add('Tree bank');
  const branch = await add('Tree branch 100%', bank.id);
  const [own] = (await regional.call(deptCalls.tree, {})).nodes;
  expect(own).toMatchObject({ id: region.id, parentId: null });
  const level = (await regional.call(deptCalls.tree, { parentId: region.id })).nodes;
  expect(level.find((one) => one.id === bank.id)?.childCount).toBe(1);
  const found = await regional.call(deptCalls.tree, { text: '100%' });
  expect(found.matches).toEqual([branch.id]);
  expect(found.nodes.map((one) => one.id).sort((a, b) => a - b)).toEqual([region.id, bank.id, branch.id]);
  expect((await regional.send(deptCalls.tree, { parentId: 2 })).code).toBe(404);
  expect((await regional.call(deptCalls.tree, { text: '%_%' })).matches).toEqual([]);
});

test('disabling: a preview says whom it meets; people of it and below are out at once, and come back only by signing in', async () => {
  const bank = await add('Shut bank');
  const branch = await add('Shut branch', bank.id);
  const path = `${region.path}${bank.id}.${branch.id}.`;
  const person = await app.person('orgManager', { id: branch.id, path });
  const here = await app.person('orgManager', { id: branch.id, path }, 'manager');
  const product = await makeProduct(app, app.root, 'SHUT-1');
  await makeDevices(app, { id: branch.id, path }, product, ['SHUT0001', 'SHUT0002']);
  expect(await regional.call(deptCalls.disable, { id: bank.id, preview: true })).toEqual({ units: 1, people: 2, devices: 2, tasks: 0 });
  expect((await person.send(userCalls.info)).code).toBe(200);
  await regional.call(deptCalls.disable, { id: bank.id });
  expect((await person.send(userCalls.info)).code).toBe(401);
  expect((await here.send(deviceCalls.page)).code).toBe(401);
  expect(await fault(regional.send(deptCalls.add, { parentId: branch.id, name: 'Late' }))).toBe('DEPT_SHUT');
  const shown = await regional.call(deptCalls.detail, { id: branch.id });
  expect(shown).toMatchObject({ state: 'enabled', open: false });
  expect((await regional.call(deviceCalls.page, { criteria: { text: 'SHUT0001' } })).total).toBe(1);
  expect(await fault(regional.send(deptCalls.disable, { id: bank.id }))).toBe('OVERTAKEN');
  await regional.call(deptCalls.enable, { id: bank.id });
  expect((await person.send(userCalls.info)).code).toBe(401);
});

test('an application is approved or refused with its reason, and its people hear of it', async () => {
  const apply = (name: string) =>
    app.context.unscoped(async (db) => {
      const made = await addDept(db, { kind: 'organisation', name, parent: region });
      await db.updateTable('org_dept').set({ state: 'applied' }).where('id', '=', made.id).execute();
      const row = { account: `${made.id}-first`, name: 'First', email: `first${made.id}@example.com`, state: 'joining', user_type: '1' };
      await db
        .insertInto('account_user')
        .values({ ...row, dept_id: made.id, dept_path: made.path })
        .execute();
      return made;
    });
  const [good, bad] = [await apply('Good applicant'), await apply('Bad applicant')];
  expect((await regional.call(deptCalls.applications, { criteria: { state: 'applied' } })).total).toBe(2);
  expect((await regional.call(deptCalls.approve, { id: good.id })).state).toBe('enabled');
  expect(await regional.call(deptCalls.refuse, { id: bad.id, reason: 'No licence' })).toMatchObject({
    state: 'refused',
    reason: 'No licence',
  });
  expect(await fault(regional.send(deptCalls.approve, { id: bad.id }))).toBe('OVERTAKEN');
  const people = await app.context.unscoped((db) =>
    db.selectFrom('account_user').select(['dept_id', 'state']).where('dept_id', 'in', [good.id, bad.id]).orderBy('dept_id').execute(),
  );
  expect(people.map((one) => one.state)).toEqual(['0', 'refused']);
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select('body_text').where('template', '=', 'orgRefused').execute(),
  );
  expect(mails[0]?.body_text).toContain('No licence');
});

test('business units and product lines are the same rows in tables of their own', async () => {
  const here = await app.person('platformAdmin', app.root, 'manager');
  const second = await here.call(productLineCalls.add, { name: 'Speakers' });
  expect(second.kind).toBe('productLine');
  const unit = await here.call(businessUnitCalls.add, { productLineId: second.id, name: 'Region South' });
  expect(await here.call(businessUnitCalls.page, { criteria: { productLineId: second.id } })).toMatchObject({ total: 1 });
  expect((await here.send(businessUnitCalls.add, { productLineId: unit.id, name: 'x' })).code).toBe(404);
  expect((await here.send(productLineCalls.update, { id: unit.id, name: 'x' })).code).toBe(404);
  expect((await here.send(businessUnitCalls.disable, { id: second.id })).code).toBe(404);
  await here.call(businessUnitCalls.disable, { id: unit.id });
  expect((await here.call(businessUnitCalls.enable, { id: unit.id })).state).toBe('enabled');
  expect((await app.person('orgManager', region, 'manager').then((one) => one.send(businessUnitCalls.page))).code).toBe(403);
});

test('who holds everything can’t be shut out: the last administrator’s unit stays open', async () => {
  const second = await admin.call(deptCalls.add, { parentId: 1, name: 'Lonely line' });
  const lonely = await app.person('platformAdmin', { id: second.id, path: `1.${second.id}.` });
  await app.context.unscoped((db) =>
    db.updateTable('account_user').set({ state: '1' }).where('id', '<>', lonely.userId).where('dept_id', '=', 1).execute(),
  );
  const other = await app.person('productLineAdmin', app.root);
  expect(await fault(other.send(deptCalls.disable, { id: second.id }))).toBe('LAST_ADMINISTRATOR');
  expect((await lonely.send(userCalls.info)).code).toBe(200);
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '0' }).where('dept_id', '=', 1).execute());
});
