import { productCalls } from '@mooring/contract/product/calls';
import { industryCalls, productCategoryCalls } from '@mooring/contract/product/category-calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { dictCalls, dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let admin: Client;
let bank: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  bank = await app.person('orgManager', await app.dept('Bank'), 'manager');
});
afterAll(() => app.stop());

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const add = (more: object = {}) =>
  admin.call(productCalls.add, { code: `P${++made}`, name: `Product ${made}`, category: 'smartPos', ...more });
const change = (id: number, more: object) => admin.send(productCalls.update, { id, name: 'Changed', category: 'smartPos', ...more });

test('a manufacturer is named by products, counted with them, and kept while one names it', async () => {
  const firm = await admin.call(firmCalls.add, { code: 'ACME', name: 'Acme', country: 'DE', website: 'https://acme.example' });
  expect(await faultOf(admin.send(firmCalls.add, { code: 'acme', name: 'Again' }))).toBe('FIRM_CODE_TAKEN');
  const { id } = await add({ firmId: firm.id });
  expect(await admin.call(productCalls.detail, { id })).toMatchObject({ firmId: firm.id, firm: 'Acme' });
  expect((await admin.call(productCalls.page, { criteria: { firmId: firm.id } })).content.map((one) => one.id)).toEqual([id]);
  expect(await admin.call(firmCalls.detail, { id: firm.id })).toMatchObject({ products: 1 });
  expect(await faultOf(admin.send(firmCalls.delete, { id: firm.id }))).toBe('FIRM_IN_USE');
  expect((await change(id, { firmId: null })).code).toBe(200);
  expect(await admin.call(firmCalls.delete, { id: firm.id })).toBeNull();
  expect(await faultOf(change(id, { firmId: firm.id }))).toBe('NOT_FOUND');
  expect(await faultOf(bank.send(firmCalls.add, { code: 'MINE', name: 'Mine' }))).toBe('FORBIDDEN');
});

test('a server of the version before writes the name alone: the manufacturer is found in any case, or made; and it reads the name', async () => {
  const { id } = await add();
  const written = (firm: string) =>
    app.context.unscoped((db) => sql`update product_product set firm = ${firm} where id = ${id}`.execute(db));
  await written('Tidewater & Sons');
  const first = await admin.call(productCalls.detail, { id });
  expect(first.firm).toBe('Tidewater & Sons');
  expect(await admin.call(firmCalls.detail, { id: first.firmId ?? 0 })).toMatchObject({ code: 'Tidewater-Sons' });
  await written('tidewater & SONS');
  expect((await admin.call(productCalls.detail, { id })).firmId).toBe(first.firmId);
  await written('深圳厂商');
  expect(await admin.call(productCalls.detail, { id })).toMatchObject({ firm: '深圳厂商' });
  const { id: firmId } = await admin.call(firmCalls.add, { code: 'NEW', name: 'New name' });
  await change(id, { firmId });
  const { rows } = await app.context.unscoped((db) => sql`select firm from product_product where id = ${id}`.execute(db));
  expect(rows).toEqual([{ firm: 'New name' }]);
});

test('the categories of the specification may be named, ordered and hidden, and neither deleted nor recoded', async () => {
  const { content } = await admin.call(productCategoryCalls.page, { page: { size: 100 } });
  expect(content.map((one) => one.value)).toEqual([
    'smartPos',
    'cloudSpeaker',
    'smartDesktop',
    'smartMobile',
    'mobilePos',
    'mPos',
    'mobileReader',
  ]);
  const reader = content.at(-1);
  if (!reader) throw new Error('no category');
  expect(reader).toMatchObject({ label: 'Mobile reader', labels: { en: 'Mobile reader' }, system: true, picture: 'mobileReader' });
  expect(await faultOf(admin.send(productCategoryCalls.delete, { id: reader.id }))).toBe('CATEGORY_BUILT_IN');
  const product = await add({ category: 'mobileReader' });
  const named = { id: reader.id, labels: { ...reader.labels, en: 'Card reader' }, picture: 'mPos', sort: 1, enabled: false } as const;
  await admin.call(productCategoryCalls.update, named);
  const labels = await admin.call(dictFindCalls.findByCriteria, { criteria: { type: 'productCategory', disabled: true } });
  expect(labels[0]).toMatchObject({ value: 'mobileReader', label: 'Card reader' });
  expect((await admin.call(dictFindCalls.findByCriteria, { criteria: { type: 'productCategory' } })).map((one) => one.value)).not.toContain(
    'mobileReader',
  );
  // What only English calls otherwise follows the language packs in every other language.
  const chinese = await admin.send(productCategoryCalls.detail, { id: reader.id }, { headers: { 'accept-language': 'zh-CN' } });
  expect(chinese.body).toMatchObject({ label: '移动读卡器' });
  expect(await admin.call(productCalls.detail, { id: product.id })).toMatchObject({ picture: 'mPos' });
  // Hidden: no new product may have it, one that has it keeps it.
  expect((await admin.send(productCalls.add, { code: 'HID', name: 'Hidden', category: 'mobileReader' })).body?.fields).toHaveProperty(
    'category',
  );
  expect((await change(product.id, { category: 'mobileReader' })).code).toBe(200);
  const visible = await admin.call(productCategoryCalls.visible, { page: { size: 100, number: 1 } });
  expect(visible.content.map((one) => one.code)).not.toContain('mobileReader');
});

test('further categories and industries are entries of their picklists: changed here alone, in one place, kept while products name them', async () => {
  const kiosk = await admin.call(productCategoryCalls.add, { value: 'kiosk', labels: { en: 'Kiosk' }, picture: 'smartDesktop' });
  const product = await add({ category: 'kiosk' });
  expect(product).toMatchObject({ category: 'kiosk', picture: 'smartDesktop' });
  expect(await faultOf(admin.send(dictCalls.entryDelete, { id: kiosk.id }))).toBe('DICT_LOCKED');
  expect(await faultOf(admin.send(productCategoryCalls.delete, { id: kiosk.id }))).toBe('CATEGORY_IN_USE');
  await change(product.id, { category: 'mPos' });
  expect(await admin.call(productCategoryCalls.delete, { id: kiosk.id })).toBeNull();
  const trade = await admin.call(industryCalls.add, { value: 'forest', labels: { en: 'Forestry' } });
  expect(await faultOf(admin.send(industryCalls.add, { value: 'forest', labels: { en: 'Again' } }))).toBe('DICT_ENTRY_TAKEN');
  await change(product.id, { industry: 'forest' });
  expect(await faultOf(admin.send(industryCalls.delete, { id: trade.id }))).toBe('INDUSTRY_IN_USE');
  // An entry of another list is none of theirs.
  expect(await faultOf(admin.send(industryCalls.delete, { id: kiosk.id }))).toBe('NOT_FOUND');
  const { content } = await admin.call(productCategoryCalls.page, { page: { size: 1 } });
  const update = { id: content[0]?.id ?? 0, labels: { en: 'Not mine' } };
  expect(await faultOf(admin.send(industryCalls.update, update))).toBe('NOT_FOUND');
});

test('a photo is one’s own picture, stays when others save, and is shown to whoever sees the product', async () => {
  const fileId = await makeFile(app, admin, app.root);
  const kind = (code: string) => app.context.unscoped((db) => sql`update file_file set kind = ${code} where id = ${fileId}`.execute(db));
  expect(await faultOf(admin.send(productCalls.add, { code: 'PH1', name: 'Photo', category: 'mPos', photoId: fileId }))).toBe(
    'FILE_KIND_REFUSED',
  );
  await kind('1');
  const { id } = await add({ photoId: fileId, publish: true });
  const other = await app.person('platformAdmin', app.root, 'manager');
  expect(await faultOf(other.send(productCalls.add, { code: 'PH2', name: 'Photo', category: 'mPos', photoId: fileId }))).toBe('NOT_FOUND');
  expect((await other.send(productCalls.update, { id, name: 'Kept', category: 'smartPos', photoId: fileId })).code).toBe(200);
  expect((await bank.call(productCalls.list, { text: 'Kept' })).map((one) => one.photoId)).toEqual([fileId]);
});

test('what a scope has of a product is its own terminals and packages', async () => {
  const { id } = await add();
  expect(await admin.call(productCalls.usage, { id })).toEqual({ terminals: 0, packages: [] });
  expect(await faultOf(admin.send(productCalls.usage, { id: 999_999 }))).toBe('NOT_FOUND');
});
