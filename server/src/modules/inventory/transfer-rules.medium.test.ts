import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { receiptCalls } from '@mooring/contract/inventory/receipt';
import { custodyCalls, stockCalls } from '@mooring/contract/inventory/stock';
import { messageCalls } from '@mooring/contract/message/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeStocked, receiptOf, sendTo, transfersOf } from './inventory.factory.ts';

let app: TestApp;
let admin: Client;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Bank', line);
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other', line);
  ofBank = await app.person('orgManager', bank, 'manager');
  ofBranch = await app.person('orgManager', branch, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const stocked = (owner: DeptAt, count = 1, status = '5') => makeStocked(app, owner, productId, count, status);
const snsOf = (made: readonly { sn: string }[]) => made.map(({ sn }) => sn);
const receiptId = async (number: string) => (await receiptOf(ofBranch, number))?.id ?? 0;
const accept = (id: number, more: object = {}) => ofBranch.call(receiptCalls.accept, { id, signedBy: 'Ann Smith', ...more });
const setDevice = (id: number, values: object) =>
  app.context.unscoped((db) => db.updateTable('device').set(values).where('id', '=', id).execute());

test('an id alone names nobody beside: neither to read its name by, nor to send to', async () => {
  const [one] = await stocked(bank);
  const sns = [one?.sn ?? ''];
  expect(await ofBank.call(dispatchCalls.targets, { ids: [other.id, branch.id] })).toEqual([{ id: branch.id, name: 'Branch' }]);
  for (const toName of ['', 'Oth'])
    expect(await faultOf(ofBank.send(dispatchCalls.add, { toId: other.id, toName, sns }))).toBe('DISPATCH_TARGET');
  await ofBank.call(dispatchCalls.add, { toId: other.id, toName: 'OTHER', sns });
  expect(await ofBank.call(dispatchCalls.targets, { ids: [other.id] })).toEqual([{ id: other.id, name: 'Other' }]);
});

test('what the sender still asked of a terminal is withdrawn when it changes hands', async () => {
  const [one] = await stocked(bank);
  const id = one?.id ?? 0;
  await ofBank.call(deviceCalls.command, { of: { ids: [id] }, command: { kind: 'reboot', params: {} } });
  await sendTo(ofBank, branch.id, [one?.sn ?? ''], { number: 'ASKED' });
  await accept(await receiptId('ASKED'));
  const { content } = await ofBank.call(deviceCalls.commands, { criteria: { deviceId: id } });
  expect(content.map(({ state }) => state)).toEqual(['withdrawn']);
});

test('a terminal goes nowhere that its product isn’t usable, and stays where that ends on the way', async () => {
  const own = await makeProduct(app, bank);
  const [mine, free] = [await makeStocked(app, bank, own, 1), await stocked(bank)].map(([one]) => one?.sn ?? '');
  const to = { toId: other.id, toName: 'Other' };
  const refused = await ofBank.call(dispatchCalls.add, { ...to, sns: [mine ?? '', free ?? ''] });
  expect(refused).toMatchObject({ done: 0, problems: [{ sn: mine, reason: 'product' }] });
  expect(await ofBank.call(dispatchCalls.add, { ...to, sns: [mine ?? '', free ?? ''], anyway: true })).toMatchObject({ done: 1 });
  const [late] = await stocked(bank);
  const id = await sendTo(ofBank, branch.id, [late?.sn ?? ''], { number: 'LATE' });
  const elsewhere = await makeProduct(app, other);
  await setDevice(late?.id ?? 0, { product_id: elsewhere });
  expect((await accept(await receiptId('LATE'))).failed.map(({ fault }) => fault)).toEqual(['DEVICE_PRODUCT']);
  expect(await transfersOf(ofBank, id)).toEqual([[late?.sn, '5', 'product']]);
});

test('nothing is sent to whom that is shut by then, and it is said', async () => {
  const shut = await app.dept('Shut', bank);
  const [one] = await stocked(bank);
  const { id } = await ofBank.call(dispatchCalls.add, { toId: shut.id, sns: [one?.sn ?? ''] });
  await admin.call(deptCalls.disable, { id: shut.id } as never);
  expect(await faultOf(ofBank.send(dispatchCalls.transfer, { id: id ?? 0 }))).toBe('DISPATCH_TARGET');
  const many = await stocked(bank, 600);
  await admin.call(deptCalls.enable, { id: shut.id } as never);
  const { id: large } = await ofBank.call(dispatchCalls.add, { toId: shut.id, sns: snsOf(many) });
  await ofBank.call(dispatchCalls.transfer, { id: large ?? 0 });
  await admin.call(deptCalls.disable, { id: shut.id } as never);
  await app.runJobs();
  const works = (await ofBank.call(backgroundJobCalls.page, {})).content;
  expect(works[0]).toMatchObject({ state: 'failed' });
});

test('who signs stands on the receipt once something is accepted, and acts under the own name', async () => {
  const [one, two] = await stocked(bank, 2);
  await sendTo(ofBank, branch.id, [one?.sn ?? '', two?.sn ?? ''], { number: 'SIGNED' });
  const id = await receiptId('SIGNED');
  await setDevice(one?.id ?? 0, { status: '3' });
  expect(await accept(id, { sns: [one?.sn ?? ''], document: 'R-1' })).toMatchObject({ done: 0 });
  expect(await receiptOf(ofBranch, 'SIGNED')).toMatchObject({ document: '', signedBy: '' });
  expect(await ofBranch.call(receiptCalls.signatures, { id })).toEqual([]);
  await accept(id, { document: 'R-2' });
  expect(await receiptOf(ofBranch, 'SIGNED')).toMatchObject({ document: 'R-2', signedBy: 'Ann Smith' });
  const { content } = await ofBranch.call(custodyCalls.ofDevice, { deviceId: two?.id ?? 0 });
  expect(content[0]).toMatchObject({ event: 'received', remark: 'Ann Smith' });
  expect(content[0]?.by).not.toBe('Ann Smith');
});

test('the sender takes back only what its receiver hasn’t used, nor sent on', async () => {
  const made = await stocked(bank, 4);
  const [shelf, used, onward, fresh] = made;
  const id = await sendTo(ofBank, branch.id, snsOf(made), { number: 'BACK' });
  await accept(await receiptId('BACK'));
  await setDevice(used?.id ?? 0, { status: '2', activated_at: app.clock.now });
  await setDevice(fresh?.id ?? 0, { status: '1' });
  const till = await app.dept('Till', branch);
  const ofTill = await app.person('orgManager', till, 'manager');
  await sendTo(ofBranch, till.id, [onward?.sn ?? ''], { number: 'ON' });
  const arrived = (await receiptOf(ofTill, 'ON'))?.id ?? 0;
  await ofTill.call(receiptCalls.accept, { id: arrived, signedBy: 'Tim' });
  expect(await ofBank.call(dispatchCalls.takeBack, { id })).toMatchObject({ done: 2 });
  expect(await transfersOf(ofBank, id)).toEqual([
    [shelf?.sn, '9', null],
    [used?.sn, '11', 'use'],
    [onward?.sn, '11', 'away'],
    [fresh?.sn, '9', null],
  ]);
});

test('what is on its way to an organisation that is merged comes to where that went', async () => {
  const source = await app.dept('Source', bank);
  const [one] = await stocked(bank);
  const { id } = await ofBank.call(dispatchCalls.add, { toId: source.id, number: 'MERGED', sns: [one?.sn ?? ''] });
  await admin.call(deptCalls.merge, { id: source.id, into: branch.id } as never);
  await app.runJobs();
  await ofBank.call(dispatchCalls.transfer, { id: id ?? 0 });
  expect(await ofBank.call(dispatchCalls.detail, { id: id ?? 0 })).toMatchObject({ toName: 'Branch' });
  expect(await receiptOf(ofBranch, 'MERGED')).toMatchObject({ waiting: 1 });
});

test('what is listed in a dispatch is neither issued nor moved meanwhile, whoever listed it', async () => {
  const [listed, free] = await stocked(branch, 2);
  const ids = [listed?.id ?? 0, free?.id ?? 0];
  await ofBank.call(dispatchCalls.add, { toId: other.id, toName: 'Other', sns: [listed?.sn ?? ''] });
  const refused = [{ id: ids[0], label: listed?.sn, fault: 'DEVICE_IN_TRANSFER' }];
  expect(await ofBranch.call(stockCalls.batchOut, { of: { ids }, preview: true })).toMatchObject({ total: 2, refused: 1 });
  expect(await ofBranch.call(stockCalls.batchOut, { of: { ids } })).toMatchObject({ done: 1, failed: refused });
  const move = { of: { ids }, deptId: bank.id };
  expect(await ofBank.call(deviceCalls.move, { ...move, preview: true })).toMatchObject({ total: 2, refused: 1 });
  expect(await ofBank.call(deviceCalls.move, move)).toMatchObject({ done: 1, failed: refused });
});

test('each side hears what the other does with a dispatch, and nobody what is their own doing', async () => {
  const titlesOf = async (who: Client) => {
    await app.runJobs();
    const { content } = await who.call(messageCalls.page, { criteria: { text: 'HEARD' } });
    return content.map(({ title }) => title).reverse();
  };
  const made = await stocked(bank, 3);
  const sns = snsOf(made);
  await sendTo(ofBank, branch.id, sns, { number: 'HEARD' });
  const sent = 'Dispatch HEARD is on its way to Branch';
  expect([await titlesOf(ofBranch), await titlesOf(ofBank)]).toEqual([[sent], []]);
  const id = await receiptId('HEARD');
  await accept(id, { sns: sns.slice(0, 2) });
  expect(await titlesOf(ofBank)).toEqual([]);
  await ofBranch.call(receiptCalls.refuse, { id, reason: 'Wrong model' });
  const answered = 'Branch answered dispatch HEARD';
  expect(await titlesOf(ofBank)).toEqual([answered]);
  const { content } = await ofBank.call(messageCalls.page, { criteria: { text: 'HEARD' } });
  expect(content[0]?.text).toBe('2 terminals were accepted, 1 rejected.');
  const { id: dispatchId } = (await ofBank.call(dispatchCalls.page, { criteria: { text: 'HEARD' } })).content[0] ?? { id: 0 };
  await ofBank.call(dispatchCalls.takeBack, { id: dispatchId });
  expect([await titlesOf(ofBranch), await titlesOf(ofBank)]).toEqual([[sent, 'Bank recalled terminals of dispatch HEARD'], [answered]]);
});
