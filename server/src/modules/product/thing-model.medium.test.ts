import { logCalls } from '@mooring/contract/audit-log/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { emptyModel, type ThingModel, type ThingProperty } from '@mooring/contract/product/thing-model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const product = () => admin.call(productCalls.add, { code: `TM${++made}`, name: `Modelled ${made}`, category: 'smartPos' });
const level = (max: number, access: 'rw' | 'r' = 'rw'): ThingProperty => ({
  id: 'level',
  name: 'Level',
  dataType: { kind: 'int', min: 0, max, step: null, unit: '%' },
  access,
});
const model = (...properties: ThingProperty[]): ThingModel => ({ ...emptyModel, properties });
const save = (productId: number, seen: number | null, given: ThingModel, who = admin) =>
  who.send(productModelCalls.save, { productId, seen, model: given });
const saved = (productId: number, seen: number | null, given: ThingModel) =>
  admin.call(productModelCalls.save, { productId, seen, model: given });
const publish = (id: number, seen: number, confirm = '') => admin.send(productModelCalls.publish, { id, seen, confirm });

test('a draft is begun, saved as it was seen, published, and superseded by the next one', async () => {
  const { id: productId, code } = await product();
  expect(await admin.call(productModelCalls.current, { productId })).toEqual({
    draft: null,
    published: null,
    allowedActions: ['edit', 'publish'],
  });
  const draft = await saved(productId, null, model(level(10)));
  expect(draft).toMatchObject({ version: 1, state: 'draft', revision: 1, entries: 1, model: model(level(10)) });
  const again = await saved(productId, draft.revision ?? 0, model(level(100)));
  expect(again).toMatchObject({ id: draft.id, version: 1, revision: 2 });
  expect(await faultOf(save(productId, draft.revision ?? 0, model()))).toBe('OVERTAKEN');
  expect(await faultOf(publish(draft.id, 1))).toBe('OVERTAKEN');
  expect((await publish(draft.id, 2)).code).toBe(200);
  const second = await saved(productId, null, model(level(200), { ...level(1), id: 'other' }));
  expect(second).toMatchObject({ version: 2, state: 'draft' });
  expect((await publish(second.id, second.revision ?? 0)).code).toBe(200);
  const third = await saved(productId, null, model(level(50)));
  expect(await faultOf(publish(third.id, third.revision ?? 0))).toBe('MODEL_BREAKING');
  expect(await faultOf(publish(third.id, third.revision ?? 0, 'yes'))).toBe('MODEL_BREAKING');
  expect((await publish(third.id, third.revision ?? 0, code)).code).toBe(200);
  const { content } = await admin.call(productModelCalls.versions, { criteria: { productId } });
  expect(content.map((one) => [one.version, one.state])).toEqual([
    [3, 'published'],
    [2, 'superseded'],
    [1, 'superseded'],
  ]);
  const { changes } = await admin.call(productModelCalls.compare, { id: second.id, next: third.id });
  expect(changes.map(({ at, what, breaking }) => [at, what, breaking])).toEqual([
    ['level', 'narrowed', true],
    ['other', 'removed', true],
  ]);
  expect(await faultOf(publish(draft.id, 2))).toBe('OVERTAKEN');
});

test('of two who begin or publish a draft at once one is second', async () => {
  const { id: productId } = await product();
  const begun = await Promise.all([1, 2, 3].map((max) => save(productId, null, model(level(max)))));
  expect(begun.map((one) => one.code).sort()).toEqual([200, 409, 409]);
  const { draft } = await admin.call(productModelCalls.current, { productId });
  const ended = await Promise.all([1, 2].map(() => publish(draft?.id ?? 0, draft?.revision ?? 0)));
  expect(ended.map((one) => one.code).sort()).toEqual([200, 409]);
  const both = await saved(productId, null, model(level(9)));
  const raced = await Promise.all([
    admin.send(productModelCalls.discard, { id: both.id, seen: both.revision ?? 0 }),
    save(productId, both.revision ?? 0, model(level(8))),
  ]);
  expect(raced.map((one) => one.code).sort()).toEqual([200, 409]);
});

test('a file says what is wrong with it by its place; an empty model is no version; a draft may be discarded', async () => {
  const { id: productId } = await product();
  const bring = (text: string) => admin.send(productModelCalls.import, { productId, seen: null, text });
  const said = async (text: string) => {
    const { body, message } = await bring(text);
    return [body?.fault, message];
  };
  expect(await said('{')).toEqual(['MODEL_UNREADABLE', expect.stringContaining('valid JSON')]);
  expect(await said('[]')).toEqual(['MODEL_UNREADABLE', expect.stringContaining('look at $')]);
  expect(await said(JSON.stringify({ events: [{ id: 'ok', name: 'Ok', level: 'loud', params: [] }] }))).toEqual([
    'MODEL_UNREADABLE',
    expect.stringContaining('look at events[0].level'),
  ]);
  expect((await admin.call(productModelCalls.current, { productId })).draft).toBeNull();
  expect((await bring('x'.repeat(300_000))).code).toBe(400);
  expect((await bring('['.repeat(200_000))).code).toBe(400);
  const nested = `${'{"kind":"array","maxItems":1,"item":'.repeat(3000)}{"kind":"date"}${'}'.repeat(3000)}`;
  expect((await bring(`{"properties":[{"id":"a","name":"A","access":"r","dataType":${nested}}]}`)).code).toBe(400);
  const empty = await saved(productId, null, emptyModel);
  expect(await faultOf(publish(empty.id, 1))).toBe('MODEL_EMPTY');
  const exported = await app.http.inject({
    method: 'POST',
    url: `/ops${productModelCalls.export.path}`,
    headers: { authorization: admin.token, 'accept-platform': 'manager', 'accept-deptid': '1' },
    payload: { id: empty.id },
  });
  expect(JSON.parse(exported.body)).toEqual(emptyModel);
  const imported = await admin.call(productModelCalls.import, { productId, seen: 1, text: JSON.stringify(model(level(7))) });
  expect(imported).toMatchObject({ id: empty.id, revision: 2, entries: 1 });
  await admin.call(productModelCalls.discard, { id: imported.id, seen: 2 });
  expect(await faultOf(admin.send(productModelCalls.detail, { id: imported.id }))).toBe('NOT_FOUND');
});

test('below its owner a model is read and not changed, and the log keeps what stood before', async () => {
  const { id: productId, name } = await product();
  const draft = await saved(productId, null, model(level(1)));
  await saved(productId, 1, model(level(2)));
  const below = await app.person('platformAdmin', await app.dept('Branch'), 'manager');
  expect(await below.call(productModelCalls.current, { productId })).toMatchObject({ draft: { id: draft.id }, allowedActions: [] });
  expect(await faultOf(save(productId, 2, model(level(3)), below))).toBe('NOT_FOUND');
  expect(await faultOf(below.send(productModelCalls.publish, { id: draft.id, seen: 2 }))).toBe('NOT_FOUND');
  expect(await faultOf(below.send(productModelCalls.discard, { id: draft.id, seen: 2 }))).toBe('NOT_FOUND');
  const { content } = await admin.call(logCalls.page, { criteria: { domain: 'product' }, page: { size: 20 } });
  const entry = content.find((one) => one.call === productModelCalls.save.path && one.target === `thing model ${name}`);
  expect(await admin.call(logCalls.detail, { id: entry?.id ?? 0 })).toMatchObject({ before: model(level(1)), after: model(level(2)) });
});
