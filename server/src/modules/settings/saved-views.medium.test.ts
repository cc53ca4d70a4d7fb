import { MOST_VIEWS, savedViewCalls } from '@mooring/contract/settings/view-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let manager: Client;
let colleague: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  manager = await app.person('orgManager', bank);
  colleague = await app.person('orgMember', bank);
});
afterAll(() => app.stop());

const list = 'device.list';
let made = 0;
const add = (who: Client, more: object = {}) => who.call(savedViewCalls.add, { list, name: `View ${++made}`, query: 'status=2', ...more });
const names = async (who: Client, of = list) => (await who.call(savedViewCalls.list, { list: of })).map((one) => one.name);
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code: number, body } = await asked;
  return body?.fault ?? number;
};

test('a view is its owner’s, of one list, until it is shared; then it is for those of the organisation and below it', async () => {
  const rival = await app.person('orgManager', await app.dept('Rival'));
  const below = await app.person('orgMember', branch);
  const { id, name, ...view } = await add(manager, { columns: [{ key: 'sn', visible: true }] });
  expect(view).toMatchObject({ query: 'status=2', columns: [{ key: 'sn', visible: true }], shared: false, isDefault: false, by: null });
  expect([await names(manager), await names(manager, 'other'), await names(colleague)]).toEqual([[name], [], []]);
  expect(await faultOf(colleague.send(savedViewCalls.update, { id, name: 'Mine', shared: false }))).toBe('NOT_FOUND');
  await manager.call(savedViewCalls.update, { id, name, shared: true });
  expect([await names(colleague), await names(below), await names(rival)]).toEqual([[name], [name], []]);
  const [seen] = await colleague.call(savedViewCalls.list, { list });
  expect([seen?.by, seen?.columns]).toEqual([expect.stringMatching(/./), [{ key: 'sn', visible: true }]]);
  for (const who of [colleague, rival]) expect(await faultOf(who.send(savedViewCalls.delete, { id }))).toBe('NOT_FOUND');
  await manager.call(savedViewCalls.delete, { id });
  expect(await names(colleague)).toEqual([]);
});

test('only who may share, shares, and changes what is shared; it is taken back without, or taken away by whoever may share there', async () => {
  expect(await faultOf(colleague.send(savedViewCalls.add, { list, name: 'x', query: '', shared: true }))).toBe('FORBIDDEN');
  const { id } = await add(colleague);
  expect(await faultOf(colleague.send(savedViewCalls.update, { id, name: 'x', shared: true }))).toBe('FORBIDDEN');
  await app.context.unscoped((db) => sql`update settings_saved_view set shared = true where id = ${id}`.execute(db));
  expect(await faultOf(colleague.send(savedViewCalls.update, { id, name: 'Renamed', shared: true }))).toBe('FORBIDDEN');
  expect(await colleague.call(savedViewCalls.update, { id, name: 'Renamed', shared: false })).toMatchObject({
    name: 'Renamed',
    shared: false,
  });
  expect(await faultOf(manager.send(savedViewCalls.delete, { id }))).toBe('NOT_FOUND');
  await app.context.unscoped((db) => sql`update settings_saved_view set shared = true where id = ${id}`.execute(db));
  const rival = await app.person('orgManager', await app.dept('Other bank'));
  expect(await faultOf(rival.send(savedViewCalls.delete, { id }))).toBe('NOT_FOUND');
  await manager.call(savedViewCalls.delete, { id });
  expect(await names(colleague)).toEqual([]);
});

test('a name is one view’s of a person and a list, also where two are saved at once', async () => {
  const both = ['Night', 'nIGHT'].map((name) => manager.send(savedViewCalls.add, { list: 'n', name, query: '' }));
  expect((await Promise.all(both)).map((one) => one.body?.fault ?? one.code).sort()).toEqual([200, 'VIEW_NAME_TAKEN']);
  await add(manager, { list: 'other.list', name: 'Night' });
  await add(colleague, { list: 'n', name: 'Night' });
  for (const name of ['', ' ', 'x'.repeat(65)]) expect((await manager.send(savedViewCalls.add, { list, name, query: '' })).code).toBe(400);
});

test('there are a hundred of a list, and no more, also where two are saved at once', async () => {
  const full = 'full.list';
  await app.context.unscoped((db) =>
    sql`insert into settings_saved_view (user_id, user_name, code, name, query, dept_path)
      select ${manager.userId}, 'x', ${full}, 'View ' || n, '', ${bank.path} from generate_series(1, ${MOST_VIEWS - 1}) n`.execute(db),
  );
  const both = ['A', 'B'].map((name) => manager.send(savedViewCalls.add, { list: full, name, query: '' }));
  expect((await Promise.all(both)).map((one) => one.body?.fault ?? one.code).sort()).toEqual([200, 'VIEW_MOST']);
});

test('a list opens with one view of a person, own or shared; a foreign one isn’t to be chosen', async () => {
  const first = await add(manager, { list: 'd', shared: true });
  const second = await add(manager, { list: 'd' });
  const opens = async (who: Client) =>
    (await who.call(savedViewCalls.list, { list: 'd' })).filter((one) => one.isDefault).map((one) => one.id);
  for (const { id } of [first, second]) await manager.call(savedViewCalls.setDefault, { list: 'd', id });
  await colleague.call(savedViewCalls.setDefault, { list: 'd', id: first.id });
  expect([await opens(manager), await opens(colleague)]).toEqual([[second.id], [first.id]]);
  expect(await faultOf(colleague.send(savedViewCalls.setDefault, { list: 'd', id: second.id }))).toBe('NOT_FOUND');
  await manager.call(savedViewCalls.setDefault, { list: 'd', id: null });
  expect(await opens(manager)).toEqual([]);
});
