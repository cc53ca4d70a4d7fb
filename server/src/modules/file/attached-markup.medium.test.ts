import { fileCalls } from '@mooring/contract/file/calls';
import { helpArticleCalls } from '@mooring/contract/help/article';
import { helpCalls } from '@mooring/contract/help/calls';
import { helpCategoryCalls } from '@mooring/contract/help/category';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { makeOrder } from '../order/order.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { direct } from './upload.factory.ts';

/** Markup that runs where a browser shows it. */
const markups = [
  ['html', '<!doctype html><script>parent.alert(1)</script>'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.alert(1)"><script>alert(1)</script></svg>'],
] as const;

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let ofBank: Client;
let ofBranch: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank', { id: 2, path: '1.2.' });
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root, 'manager');
  [ofBank, ofBranch] = [await app.person('orgManager', bank, 'manager'), await app.person('orgManager', branch, 'manager')];
});
afterAll(() => app.stop());

/** Markup under a name that an attachment may have. */
async function attach(client: Client, text: string, name = 'notes.txt'): Promise<number> {
  const { body } = await direct(app.http, client, { type: '8', name, bytes: Buffer.from(text) });
  if (!body?.id) throw new Error(`not taken: ${name}`);
  return body.id;
}
const opened = async ({ url }: { url: string }) => {
  const { headers, body } = await app.http.inject({ method: 'GET', url: `/ops${url}` });
  return { body, type: headers['content-type'], sniff: headers['x-content-type-options'], disposition: headers['content-disposition'] };
};
const download = (body: string, name = 'notes.txt') => ({
  body,
  type: 'application/octet-stream',
  sniff: 'nosniff',
  disposition: `attachment; filename*=UTF-8''${name}`,
});

test.each(markups)('a file that says it is markup is no attachment: %s', async (extension, text) => {
  const { code, body } = await direct(app.http, ofBranch, { type: '8', name: `page.${extension}`, bytes: Buffer.from(text) });
  expect([code, body?.fault]).toEqual([400, 'FILE_KIND_REFUSED']);
});

test.each(markups)('what hangs on an order comes back as a download, whatever it is: %s', async (_extension, text) => {
  const [device] = await makeStocked(app, branch, await makeProduct(app, app.root), 1, '1');
  const { id } = await makeOrder(ofBranch, device?.id ?? 0, bank.id);
  const file = await attach(ofBranch, text);
  await ofBranch.call(orderCalls.say, { id, text: 'See', files: [file] });
  expect(await opened(await ofBank.call(fileCalls.getSecurityToken, { id: file }))).toEqual(download(text));
});

test.each(markups)('what hangs on a notice: %s', async (_extension, text) => {
  const file = await attach(ofBank, text, 'plan.json');
  const { id } = await ofBank.call(noticeCalls.add, { title: 'Works', body: 'See', files: [file] });
  await ofBank.call(noticeCalls.publish, { id });
  await app.runJobs();
  const [mine] = (await ofBranch.call(noticeCalls.mine, {})).content;
  expect(await opened(await ofBranch.call(noticeCalls.attachment, { id: mine?.id ?? 0, fileId: file }))).toEqual(
    download(text, 'plan.json'),
  );
});

test.each(markups)('what hangs on a help article: %s', async (extension, text) => {
  const file = await attach(admin, text, 'sheet.csv');
  const { id: categoryId } = await admin.call(helpCategoryCalls.add, { name: `Attached ${extension}` });
  const key = `attached-${extension}`;
  const { id } = await admin.call(helpArticleCalls.add, { key, categoryId, title: 'Attached', body: 'See', files: [file] });
  await admin.call(helpArticleCalls.publish, { id });
  expect(await opened(await ofBranch.call(helpCalls.file, { key, fileId: file }))).toEqual(download(text, 'sheet.csv'));
});
