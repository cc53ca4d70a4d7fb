import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dispatchCalls, transferCalls } from '@mooring/contract/inventory/dispatch';
import { arrivalCalls, receiptCalls } from '@mooring/contract/inventory/receipt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { arrivalsOf, makeStocked, receiptOf, sendTo, transfersOf } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let ofOther: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Bank', line);
  branch = await app.dept('Branch', line);
  const other = await app.dept('Other', line);
  ofBank = await app.person('orgManager', bank, 'manager');
  ofBranch = await app.person('orgManager', branch, 'manager');
  ofOther = await app.person('orgManager', other, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const snsOf = async (count: number) => (await makeStocked(app, bank, productId, count)).map(({ sn }) => sn);
const listed = async (number: string, count: number) =>
  (await ofBank.call(dispatchCalls.add, { toId: branch.id, toName: 'Branch', number, sns: await snsOf(count) })).id ?? 0;
const rowsOf = async (dispatchId: number) => (await ofBank.call(transferCalls.page, { criteria: { dispatchId } })).content;
const statesOf = async (id: number) => (await transfersOf(ofBank, id)).map(([, state]) => state);
const stateOf = async (id: number) => (await ofBank.call(dispatchCalls.detail, { id })).state;
const signed = { signedBy: 'Ann Smith' };

test('chosen terminals are sent, answered, given back and recalled', async () => {
  const id = await listed('B-1', 5);
  const [one, two, three] = await rowsOf(id);
  const of = { ids: [one?.id ?? 0, two?.id ?? 0, three?.id ?? 0] };
  expect(await ofBank.call(transferCalls.send, { of, preview: true })).toMatchObject({ total: 3, refused: 0, done: 0 });
  expect(await ofBank.call(transferCalls.send, { of })).toMatchObject({ done: 3, failed: [], work: null });
  // Those that are on their way already aren't sent twice.
  const all = { criteria: { dispatchId: id }, except: [] };
  expect(await ofBank.call(transferCalls.send, { of: all, preview: true })).toMatchObject({ total: 5, refused: 3 });
  expect(await ofBank.call(transferCalls.send, { of: { ...all, except: [(await rowsOf(id))[4]?.id ?? 0] } })).toMatchObject({ done: 1 });
  expect(await stateOf(id)).toBe('3');

  const receipt = await receiptOf(ofBranch, 'B-1');
  const arrivals = await arrivalsOf(ofBranch, receipt?.id ?? 0);
  const [first, second, third, fourth] = arrivals.map((row) => row.id);
  const some = { ids: [first ?? 0, second ?? 0] };
  expect((await ofBranch.send(arrivalCalls.accept, { of: some })).body?.fields).toMatchObject({ signedBy: expect.anything() });
  expect(await ofBranch.call(arrivalCalls.accept, { of: some, ...signed, document: 'R-1', signature: [[1, 1, 9, 9]] })).toMatchObject({
    done: 2,
  });
  expect(await ofBranch.call(receiptCalls.signatures, { id: receipt?.id ?? 0 })).toMatchObject([{ document: 'R-1', terminals: 2 }]);
  expect((await ofBranch.send(arrivalCalls.refuse, { of: { ids: [third] }, reason: '' })).body?.fields).toMatchObject({
    reason: expect.anything(),
  });
  expect(await ofBranch.call(arrivalCalls.refuse, { of: { ids: [third ?? 0] }, reason: 'Broken' })).toMatchObject({ done: 1 });
  // What is answered isn't answered again.
  expect(await ofBranch.call(arrivalCalls.refuse, { of: { ids: [third ?? 0] }, reason: 'Broken' })).toMatchObject({ done: 0, refused: 1 });
  expect(await ofBranch.call(arrivalCalls.giveBack, { of: { ids: [first ?? 0, fourth ?? 0] } })).toMatchObject({ done: 1 });
  expect(await ofBank.call(transferCalls.takeBack, { of: all, preview: true })).toMatchObject({ total: 5, refused: 3 });
  expect(await ofBank.call(transferCalls.takeBack, { of: all })).toMatchObject({ done: 2 });
  expect(await statesOf(id)).toEqual(['15', '9', '5', '5', '1']);
  // Sent again by name, and not from a dispatch that is over.
  expect(await ofBank.call(transferCalls.send, { of: all, preview: true })).toMatchObject({ total: 5, refused: 0 });
  await ofBank.call(dispatchCalls.withdraw, { id });
  expect(await ofBank.call(transferCalls.send, { of: all, preview: true })).toMatchObject({ total: 5, refused: 5 });
});

test('chosen dispatches go out together, and their deliveries are taken with one name', async () => {
  const ids = [await listed('C-1', 2), await listed('C-2', 3)];
  const of = { criteria: { text: 'C-' }, except: [] };
  expect(await ofBank.call(dispatchCalls.transferMany, { of, preview: true })).toMatchObject({ total: 2, refused: 0 });
  expect(await ofBank.call(dispatchCalls.transferMany, { of })).toMatchObject({ total: 5, done: 5 });
  expect(await ofBank.call(dispatchCalls.transferMany, { of, preview: true })).toMatchObject({ total: 2, refused: 2 });
  expect(await Promise.all(ids.map(stateOf))).toEqual(['5', '5']);
  const receipts = [(await receiptOf(ofBranch, 'C-1'))?.id ?? 0, (await receiptOf(ofBranch, 'C-2'))?.id ?? 0];
  expect(await ofBranch.call(receiptCalls.acceptMany, { of: { ids: receipts }, ...signed, document: 'R-9' })).toMatchObject({ done: 5 });
  for (const [at, id] of receipts.entries())
    expect(await ofBranch.call(receiptCalls.signatures, { id })).toMatchObject([
      { document: 'R-9', signedBy: 'Ann Smith', terminals: at + 2 },
    ]);
  expect(await ofBranch.call(receiptCalls.refuseMany, { of: { ids: receipts }, reason: 'x' })).toMatchObject({ done: 0, refused: 2 });
  // The receiver has them: they don't go back by themselves.
  expect(await ofBank.call(dispatchCalls.withdrawMany, { of, preview: true })).toMatchObject({ total: 2, refused: 2 });
  expect(await ofBank.call(dispatchCalls.deleteMany, { of })).toMatchObject({ done: 0, refused: 2 });
  expect(await ofBranch.call(receiptCalls.giveBackMany, { of: { ids: receipts }, reason: 'Late' })).toMatchObject({ done: 5 });
  expect(await ofBank.call(dispatchCalls.withdrawMany, { of })).toMatchObject({ done: 2 });
  expect(await Promise.all(ids.map(stateOf))).toEqual(['7', '7']);
  expect(await ofBank.call(dispatchCalls.deleteMany, { of })).toMatchObject({ done: 2 });
  expect((await ofBank.call(dispatchCalls.page, { criteria: { text: 'C-' } })).content).toEqual([]);
});

test('more than a batch of several dispatches goes on in the background', async () => {
  const ids = [await listed('L-1', 300), await listed('L-2', 300)];
  const { work, total } = await ofBank.call(dispatchCalls.transferMany, { of: { ids } });
  expect(total).toBe(600);
  await app.runJobs();
  const job = (await ofBank.call(backgroundJobCalls.page, {})).content.find((one) => one.id === work);
  expect(job).toMatchObject({ state: 'done', done: 600, failed: 0 });
  expect(await Promise.all(ids.map(stateOf))).toEqual(['5', '5']);
});

test('nothing of another organisation is reached, by any name', async () => {
  const id = await listed('F-1', 2);
  const rows = (await rowsOf(id)).map((row) => row.id);
  const everything = { criteria: {}, except: [] };
  for (const of of [{ ids: rows }, everything]) {
    expect(await ofOther.call(transferCalls.send, { of })).toMatchObject({ total: 0, done: 0 });
    expect(await ofOther.call(transferCalls.takeBack, { of })).toMatchObject({ total: 0, done: 0 });
  }
  for (const call of [dispatchCalls.transferMany, dispatchCalls.withdrawMany, dispatchCalls.deleteMany])
    for (const of of [{ ids: [id] }, everything]) expect(await ofOther.call(call, { of })).toMatchObject({ total: 0, done: 0 });
  const sent = await sendTo(ofBank, branch.id, await snsOf(1), { number: 'F-2', toName: 'Branch' });
  const receipt = (await receiptOf(ofBranch, 'F-2'))?.id ?? 0;
  const arrivals = (await arrivalsOf(ofBranch, receipt)).map((row) => row.id);
  for (const who of [ofOther, ofBank]) {
    expect(await who.call(arrivalCalls.accept, { of: { ids: arrivals }, ...signed })).toMatchObject({ total: 0, done: 0 });
    expect(await who.call(receiptCalls.acceptMany, { of: { ids: [receipt] }, ...signed })).toMatchObject({ total: 0, done: 0 });
  }
  expect([await statesOf(id), await statesOf(sent)]).toEqual([['1', '1'], ['1']]);
});
