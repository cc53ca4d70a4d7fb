import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { receiptCalls } from '@mooring/contract/inventory/receipt';
import { entryCalls, stockCalls } from '@mooring/contract/inventory/stock';
import { deptCalls } from '@mooring/contract/org/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { arrivalsOf, custodyOf, makeStocked, receiptOf, sendTo, transfersOf } from './inventory.factory.ts';

let app: TestApp;
let admin: Client;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let ofOther: Client;
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
  ofOther = await app.person('orgManager', other, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const stocked = (owner: DeptAt, count = 1, status = '5') => makeStocked(app, owner, productId, count, status);
const snsOf = (made: readonly { sn: string }[]) => made.map(({ sn }) => sn);
const accept = (who: Client, id: number, more: object = {}) => who.call(receiptCalls.accept, { id, signedBy: 'Ann Smith', ...more });
const ownerOf = async (id: number) => {
  const { deptName, status } = await admin.call(deviceCalls.detail, { id });
  return [deptName, status];
};

test('terminals go to an organisation below, and change hands when it accepts them', async () => {
  const [one, two, three] = await stocked(bank, 3, '1');
  if (!one || !two || !three) throw new Error('three');
  const made = await ofBank.call(dispatchCalls.add, {
    toId: branch.id,
    number: 'D-1',
    sns: [one.sn, ` ${two.sn.toLowerCase()}`, three.sn, one.sn],
  });
  expect(made).toMatchObject({ done: 3, refused: 1, number: 'D-1', problems: [{ sn: one.sn, reason: 'twice' }] });
  const id = made.id ?? 0;
  expect(await ofBank.call(dispatchCalls.detail, { id })).toMatchObject({
    state: '1',
    total: 3,
    sent: 0,
    allowedActions: ['withdraw', 'delete', 'transfer'],
  });
  expect(await receiptOf(ofBranch, 'D-1')).toBeUndefined();
  const [first] = (await transfersOf(ofBank, id)) as [string, string, string | null][];
  expect(first).toEqual([one.sn, '1', null]);
  await ofBank.call(dispatchCalls.transfer, { id });
  expect(await ofBank.call(dispatchCalls.detail, { id })).toMatchObject({ state: '5', sent: 3, received: 0 });
  expect(await ownerOf(one.id)).toEqual(['Bank', '1']);

  const receipt = await receiptOf(ofBranch, 'D-1');
  expect(receipt).toMatchObject({ fromName: 'Bank', waiting: 3, accepted: 0, allowedActions: ['accept', 'refuse'] });
  const arrivals = await arrivalsOf(ofBranch, receipt?.id ?? 0);
  const arrival = (sn: string) => arrivals.find((row) => row.sn === sn)?.id ?? 0;
  const signature = [[1, 1, 20, 20]];
  expect(await accept(ofBranch, receipt?.id ?? 0, { ids: [arrival(one.sn), arrival(two.sn)], document: 'R-7', signature })).toMatchObject({
    done: 2,
    failed: [],
  });
  expect(await faultOf(ofBranch.send(receiptCalls.accept, { id: receipt?.id, sns: [one.sn, 'STRANGER'], signedBy: 'x' }))).toBe(
    'RECEIPT_UNEXPECTED',
  );
  expect(
    await ofBranch.call(receiptCalls.refuse, { id: receipt?.id ?? 0, reason: 'Box is open', sns: [three.sn.toLowerCase()] }),
  ).toMatchObject({ done: 1 });
  expect(await ownerOf(one.id)).toEqual(['Branch', '5']);
  expect(await ownerOf(three.id)).toEqual(['Bank', '1']);
  expect(await transfersOf(ofBank, id)).toEqual([
    [one.sn, '3', null],
    [two.sn, '3', null],
    [three.sn, '5', 'refused'],
  ]);
  expect(await ofBank.call(dispatchCalls.detail, { id })).toMatchObject({ state: '3', total: 3, sent: 2, received: 2, failed: 1 });
  expect(await receiptOf(ofBranch, 'D-1')).toMatchObject({ waiting: 0, accepted: 2, refused: 1, document: 'R-7', signedBy: 'Ann Smith' });
  expect(await ofBranch.call(receiptCalls.signatures, { id: receipt?.id ?? 0 })).toMatchObject([
    { signedBy: 'Ann Smith', terminals: 2, signature },
  ]);

  // One given back, one taken back.
  expect(await ofBranch.call(receiptCalls.giveBack, { id: receipt?.id ?? 0, ids: [arrival(one.sn)], reason: 'Broken' })).toMatchObject({
    done: 1,
  });
  expect(await ofBank.call(dispatchCalls.takeBack, { id })).toMatchObject({ done: 1 });
  expect([await ownerOf(one.id), await ownerOf(two.id)]).toEqual([
    ['Bank', '5'],
    ['Bank', '5'],
  ]);
  expect(await ofBank.call(dispatchCalls.detail, { id })).toMatchObject({ state: '1', total: 3, sent: 0, received: 0, failed: 1 });
  expect(await custodyOf(admin, one.id)).toEqual([
    ['returned', 'Branch', 'Bank', 'D-1'],
    ['received', 'Bank', 'Branch', 'R-7'],
    ['dispatched', 'Bank', 'Branch', 'D-1'],
  ]);
  const types = (await ofBank.call(entryCalls.page, { criteria: { text: one.sn } })).content.map(({ type }) => type);
  expect(types).toEqual(['9', '3']);
  // What failed or came back may be sent again, under a record of its own.
  const again = (await ofBank.call(dispatchCalls.detail, { id })).id;
  const rows = await ofBank.call(dispatchCalls.transfer, { id: again, ids: (await idsOf(again)).slice(0, 3) });
  expect(rows.done).toBe(3);
  expect(await ofBank.call(dispatchCalls.detail, { id })).toMatchObject({ state: '5', total: 3, sent: 3, failed: 0 });
});

const idsOf = async (id: number) =>
  (
    await app.context.unscoped((db) =>
      db
        .selectFrom('inventory_transfer')
        .select('id')
        .where('dispatch_id', '=', id)
        .where('superseded', '=', false)
        .orderBy('id')
        .execute(),
    )
  ).map((row) => row.id);

test('each serial number that is wrong is named, and nothing is listed unless the others are wanted', async () => {
  const [good, there, online] = [await stocked(bank), await stocked(branch), await stocked(bank, 1, '3')].map(([one]) => one?.sn ?? '');
  const [theirs] = await stocked(other);
  const busy = await stocked(bank);
  await sendTo(ofBank, branch.id, snsOf(busy), { number: 'D-BUSY' });
  const sns = [good ?? '', '?', 'NOBODY01', theirs?.sn ?? '', there ?? '', online ?? '', busy[0]?.sn ?? ''];
  const refused = await ofBank.call(dispatchCalls.add, { toId: branch.id, sns });
  expect([refused.done, refused.id]).toEqual([0, null]);
  expect(refused.problems.map(({ reason, document }) => [reason, document])).toEqual([
    ['wrong', ''],
    ['unknown', ''],
    ['unknown', ''],
    ['there', ''],
    ['state', ''],
    ['transfer', 'D-BUSY'],
  ]);
  expect(await ofBank.call(dispatchCalls.add, { toId: branch.id, sns, anyway: true })).toMatchObject({ done: 1, refused: 6 });
});

test.each([
  [{ toId: 999_999 }, 'DISPATCH_TARGET'],
  [{ number: '-1' }, 'BAD_INPUT'],
  [{ sns: [] }, 'BAD_INPUT'],
])('%j is refused', async (wrong, name) => {
  const [one] = await stocked(bank);
  expect(await faultOf(ofBank.send(dispatchCalls.add, { toId: branch.id, sns: [one?.sn], ...wrong }))).toBe(name);
});

test('a document number is one of its organisation, and its own organisation is no receiver', async () => {
  const [one, two] = await stocked(bank, 2);
  await ofBank.call(dispatchCalls.add, { toId: branch.id, number: 'TWICE', sns: [one?.sn ?? ''] });
  expect(await faultOf(ofBank.send(dispatchCalls.add, { toId: branch.id, number: 'twice', sns: [two?.sn] }))).toBe('DOCUMENT_TAKEN');
  expect(await faultOf(ofBank.send(dispatchCalls.add, { toId: bank.id, sns: [two?.sn] }))).toBe('DISPATCH_TARGET');
});

test('of two who list a terminal at once one wins, and the other is told which document has it', async () => {
  const [one] = await stocked(branch);
  const sns = [one?.sn ?? ''];
  const both = await Promise.all([
    ofBank.send(dispatchCalls.add, { toId: other.id, toName: 'Other', number: 'RACE-1', sns }),
    ofBranch.send(dispatchCalls.add, { toId: other.id, toName: 'Other', number: 'RACE-2', sns }),
  ]);
  const done = both.map(({ code, body }) => [code, (body as unknown as { done?: number })?.done ?? body?.fault]);
  expect(done.filter(([, n]) => n === 1)).toHaveLength(1);
  const listed = await app.context.unscoped((db) =>
    db
      .selectFrom('inventory_transfer')
      .select('id')
      .where('device_id', '=', one?.id ?? 0)
      .execute(),
  );
  expect(listed).toHaveLength(1);
});

test('to an organisation beside: neither sees the rows of the other, and each its own side', async () => {
  const made = await stocked(bank, 2);
  expect(await ofBank.call(dispatchCalls.targets, { text: 'Oth' })).toEqual([]);
  const [target] = await ofBank.call(dispatchCalls.targets, { text: 'other' });
  expect(target).toEqual({ id: other.id, name: 'Other' });
  const id = await sendTo(ofBank, other.id, snsOf(made), { number: 'BESIDE', toName: 'OTHER' });
  const receipt = await receiptOf(ofOther, 'BESIDE');
  expect(await faultOf(ofOther.send(dispatchCalls.detail, { id }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBank.send(receiptCalls.accept, { id: receipt?.id, signedBy: 'x' }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBranch.send(receiptCalls.detail, { id: receipt?.id }))).toBe('NOT_FOUND');
  await accept(ofOther, receipt?.id ?? 0);
  expect(await ownerOf(made[0]?.id ?? 0)).toEqual(['Other', '5']);
  // One is in use by then: it stays, and says why.
  await app.context.unscoped((db) =>
    db
      .updateTable('device')
      .set({ status: '3' })
      .where('id', '=', made[0]?.id ?? 0)
      .execute(),
  );
  const back = await ofBank.call(dispatchCalls.takeBack, { id });
  expect([back.done, back.failed.map(({ label, fault }) => [label, fault])]).toEqual([1, [[made[0]?.sn, 'DEVICE_STATE']]]);
  expect(await transfersOf(ofBank, id)).toEqual([
    [made[0]?.sn, '11', 'use'],
    [made[1]?.sn, '9', null],
  ]);
  expect((await arrivalsOf(ofOther, receipt?.id ?? 0)).map(({ state }) => state)).toEqual(['11', '9']);
});

test('what moved elsewhere before it is accepted does not go over', async () => {
  const made = await stocked(bank, 1);
  const id = await sendTo(ofBank, branch.id, snsOf(made), { number: 'AWAY' });
  await app.context.unscoped((db) =>
    db
      .updateTable('device')
      .set({ dept_id: other.id, dept_path: other.path })
      .where('id', '=', made[0]?.id ?? 0)
      .execute(),
  );
  const receipt = await receiptOf(ofBranch, 'AWAY');
  expect((await accept(ofBranch, receipt?.id ?? 0)).failed.map(({ fault }) => fault)).toEqual(['DEVICE_AWAY']);
  expect(await transfersOf(ofBank, id)).toEqual([[made[0]?.sn, '5', 'away']]);
  expect(await faultOf(ofBranch.send(receiptCalls.accept, { id: receipt?.id, signedBy: 'x' }))).toBe('RECEIPT_STATE');
});

test('two who accept at once take each terminal once', async () => {
  const made = await stocked(bank, 20);
  await sendTo(ofBank, branch.id, snsOf(made), { number: 'ATONCE' });
  const id = (await receiptOf(ofBranch, 'ATONCE'))?.id ?? 0;
  const both = await Promise.all([1, 2].map(() => ofBranch.send(receiptCalls.accept, { id, signedBy: 'Ann' })));
  const done = both.map(({ body }) => (body as unknown as { done?: number })?.done ?? 0);
  expect((done[0] ?? 0) + (done[1] ?? 0)).toBe(20);
  expect(await receiptOf(ofBranch, 'ATONCE')).toMatchObject({ waiting: 0, accepted: 20 });
});

test('a dispatch is withdrawn or deleted while its receiver has nothing of it; its terminals are free again', async () => {
  const made = await stocked(bank, 2);
  const id = await sendTo(ofBank, branch.id, snsOf(made), { number: 'GONE' });
  expect(await faultOf(ofBank.send(dispatchCalls.delete, { id }))).toBe('OVERTAKEN');
  expect(await ofBank.call(dispatchCalls.withdraw, { id })).toMatchObject({ state: '7', allowedActions: ['delete'] });
  expect(await receiptOf(ofBranch, 'GONE')).toMatchObject({ waiting: 0, refused: 2 });
  expect((await custodyOf(ofBank, made[0]?.id ?? 0))[0]).toEqual(['withdrawn', 'Branch', 'Bank', 'GONE']);
  expect(await faultOf(ofBank.send(dispatchCalls.transfer, { id }))).toBe('DISPATCH_STATE');
  await ofBank.call(dispatchCalls.delete, { id });
  expect(await faultOf(ofBank.send(dispatchCalls.detail, { id }))).toBe('NOT_FOUND');
  const next = await sendTo(ofBank, branch.id, snsOf(made), { number: 'NEXT' });
  await accept(ofBranch, (await receiptOf(ofBranch, 'NEXT'))?.id ?? 0);
  expect(await faultOf(ofBank.send(dispatchCalls.delete, { id: next }))).toBe('DISPATCH_OUT');
});

test('many go over in the background, and both sides are told the same', async () => {
  const made = await stocked(bank, 1200);
  const { id } = await ofBank.call(dispatchCalls.add, { toId: branch.id, number: 'MANY', sns: snsOf(made) });
  const sent = await ofBank.call(dispatchCalls.transfer, { id: id ?? 0 });
  expect(sent).toMatchObject({ total: 1200, done: 0 });
  await app.runJobs();
  const receipt = await receiptOf(ofBranch, 'MANY');
  expect(receipt?.waiting).toBe(1200);
  await accept(ofBranch, receipt?.id ?? 0);
  await app.runJobs();
  expect(await receiptOf(ofBranch, 'MANY')).toMatchObject({ waiting: 0, accepted: 1200 });
  expect(await ofBank.call(dispatchCalls.detail, { id: id ?? 0 })).toMatchObject({ state: '5', received: 1200 });
  const works = (await ofBranch.call(backgroundJobCalls.page, {})).content;
  expect(works[0]).toMatchObject({ state: 'done', done: 1200 });
  expect((await ofBranch.call(stockCalls.products)).find(({ id: product }) => product === productId)?.count).toBeGreaterThanOrEqual(1200);
});

test('an organisation that moves keeps both sides of its dispatches', async () => {
  const holding = await app.dept('Holding', { id: 2, path: '1.2.' });
  const shop = await app.dept('Shop', holding);
  const ofHolding = await app.person('orgManager', holding, 'manager');
  const made = await stocked(holding, 1);
  await sendTo(ofHolding, shop.id, snsOf(made), { number: 'MOVING' });
  await admin.call(deptCalls.move, { id: shop.id, parentId: other.id } as never);
  await app.runJobs();
  const receipt = await receiptOf(ofOther, 'MOVING');
  expect(receipt).toMatchObject({ waiting: 1, deptName: 'Shop' });
  await accept(ofOther, receipt?.id ?? 0);
  expect(await ownerOf(made[0]?.id ?? 0)).toEqual(['Shop', '5']);
});
