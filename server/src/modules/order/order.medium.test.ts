import { deviceCalls } from '@mooring/contract/device/calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf, makeMerchant, makeShop } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, numbersOf, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let desk: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let ofDesk: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
  desk = await app.dept('Service desk', bank);
  ofDesk = await app.person('orgManager', desk, 'manager');
  outsider = await app.person('orgManager', await app.dept('Other', { id: 2, path: '1.2.' }), 'manager');
});
afterAll(() => app.stop());

async function terminal(owner: DeptAt): Promise<{ id: number; sn: string }> {
  const [one] = await makeStocked(app, owner, productId, 1, '1');
  if (!one) throw new Error('one');
  return one;
}
const actsOf = async (who: Client, id: number) => (await who.call(orderCalls.detail, { id })).allowedActions.toSorted();
const eventsOf = async (who: Client, id: number) =>
  (await who.call(orderCalls.entries, { id })).content.map(({ event, side, text }) => [event, side, text]);
const mailsOf = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.map(({ title }) => title);
};

test('a terminal goes to a partner below and comes back, and each side has its own acts', async () => {
  const { id: deviceId, sn } = await terminal(bank);
  const made = await makeOrder(ofBank, deviceId, desk.id, { description: 'No paper feed', contactName: 'Ann' });
  const { id, number } = made;
  expect(made).toMatchObject({ state: 'created', sn, deptName: 'Bank', partnerName: 'Service desk', side: 'customer', late: false });
  expect(await actsOf(ofBank, id)).toEqual(['cancel', 'say', 'update']);
  expect(await actsOf(ofDesk, id)).toEqual(['accept', 'decline', 'say']);
  expect(await numbersOf(ofDesk)).toEqual([number]);
  expect(await numbersOf(ofDesk, { text: sn })).toEqual([number]);
  expect(await mailsOf(ofDesk)).toEqual([`New after-sales order ${number}`]);

  await ofDesk.call(orderCalls.accept, { id, engineerId: ofDesk.userId, dueOn: '2999-01-01' });
  const accepted = await ofBank.call(orderCalls.detail, { id });
  expect(accepted).toMatchObject({ state: 'accepted', dueOn: '2999-01-01', engineerId: ofDesk.userId });
  expect((await mailsOf(ofBank)).toSorted()).toEqual([`Order ${number} accepted`, `Order ${number} has another due date`]);
  expect(await faultOf(ofBank.send(orderCalls.update, { id, partnerId: desk.id, fault: 'other' }))).toBe('ORDER_ACCEPTED');
  await ofBank.call(orderCalls.ship, { id, carrier: 'DHL', number: '00340' });
  await ofDesk.call(orderCalls.receive, { id });
  for (const who of [ofBank, ofDesk]) expect(await faultOf(who.send(orderCalls.cancel, { id }))).toBe('ORDER_ARRIVED');
  expect(await faultOf(ofDesk.send(orderCalls.diagnose, { id }))).toBe('ORDER_DIAGNOSIS');
  await ofDesk.call(orderCalls.quote, { id, diagnosis: 'Roller worn' });
  await ofDesk.call(orderCalls.diagnose, { id });
  await ofDesk.call(orderCalls.repaired, { id, workDone: 'Roller replaced', backCarrier: 'UPS', backNumber: '1Z' });
  expect(await actsOf(ofDesk, id)).toEqual(['assign', 'say', 'ship']);
  await ofBank.call(orderCalls.delivered, { id });
  expect(await ofDesk.call(orderCalls.detail, { id })).toMatchObject({
    state: 'closed',
    outNumber: '00340',
    backNumber: '1Z',
    workDone: 'Roller replaced',
    side: 'service',
  });
  expect(await eventsOf(ofDesk, id)).toEqual([
    ['delivered', 'customer', ''],
    ['repaired', 'service', 'Roller replaced'],
    ['diagnose', 'service', ''],
    ['quote', 'service', 'Roller worn'],
    ['receive', 'service', ''],
    ['ship', 'customer', 'DHL 00340'],
    ['accept', 'service', `${accepted.engineer} · 2999-01-01`],
    ['created', 'customer', ''],
  ]);
});

test('nobody else sees an order, and nobody acts for the other side', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  for (const who of [outsider, ofDesk]) {
    expect((await who.call(orderCalls.page, {})).content.map((row) => row.id)).not.toContain(id);
    expect(await faultOf(who.send(orderCalls.detail, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(orderCalls.entries, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(orderCalls.say, { id, text: 'x' }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(orderCalls.accept, { id }))).toBe('NOT_FOUND');
  }
  expect(await faultOf(ofBranch.send(orderCalls.accept, { id }))).toBe('ORDER_SIDE');
  expect(await faultOf(ofBank.send(orderCalls.cancel, { id }))).toBe('ORDER_SIDE');
  await receiveOrder(ofBank, id);
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Battery', labour: '10' });
  expect(await faultOf(ofBank.send(orderCalls.approveCosts, { id, total: 1000, currency: '1' }))).toBe('ORDER_SIDE');
  expect(await faultOf(ofBranch.send(orderCalls.quote, { id, diagnosis: 'x' }))).toBe('ORDER_SIDE');
});

test('costs without warranty are approved before the repair, exactly those that were shown', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  await receiveOrder(ofBank, id);
  const parts = [{ name: 'Roller', quantity: 2, price: '12.5' }];
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Roller worn', parts, labour: '30', currency: '2' });
  expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ costs: 'asked', parts, labour: '30', currency: '2' });
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id }))).toBe('ORDER_COSTS');
  expect(await faultOf(ofBranch.send(orderCalls.approveCosts, { id, total: 1, currency: '2' }))).toBe('OVERTAKEN');
  expect(await faultOf(ofBranch.send(orderCalls.approveCosts, { id, total: 5500, currency: '1' }))).toBe('OVERTAKEN');
  await ofBranch.call(orderCalls.declineCosts, { id, reason: 'Too dear' });
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id }))).toBe('ORDER_COSTS');
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Roller worn', parts, labour: '', currency: '2' });
  await ofBranch.call(orderCalls.approveCosts, { id, total: 2500, currency: '2' });
  await ofBank.call(orderCalls.diagnose, { id });
  expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ state: 'repairing', costs: 'approved' });
  for (const labour of ['123456789', '1.234', '-1', 'x'])
    expect(await faultOf(ofBank.send(orderCalls.quote, { id, diagnosis: 'x', labour }))).toBe('BAD_INPUT');
});

test('a terminal under warranty is repaired for nothing', async () => {
  const { id: deviceId, sn } = await terminal(branch);
  await app.context.unscoped((db) =>
    db
      .insertInto('inventory_sale')
      .values({
        device_id: deviceId,
        sn,
        number: 'S1',
        sold_at: new Date(),
        warranty_until: new Date('2999-01-01'),
        dept_id: bank.id,
        dept_path: bank.path,
      })
      .execute(),
  );
  const { id, ...made } = await makeOrder(ofBranch, deviceId, bank.id);
  expect(made).toMatchObject({ warrantyUntil: '2999-01-01', inWarranty: true });
  await receiveOrder(ofBank, id);
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Roller worn', labour: '30' });
  await ofBank.call(orderCalls.diagnose, { id });
  expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ state: 'repairing', costs: 'none' });
});

test('numbers follow each other, also where an order was refused meanwhile and where many come at once', async () => {
  const own = await app.dept('Counted', bank);
  const who = await app.person('orgManager', own, 'manager');
  const devices = await makeStocked(app, own, productId, 4, '1');
  const year = app.clock.now.getUTCFullYear();
  await makeOrder(who, devices[0]?.id ?? 0, own.id);
  expect(await faultOf(who.send(orderCalls.add, { deviceId: devices[0]?.id ?? 0, partnerId: own.id, fault: 'x' }))).toBe('ORDER_OPEN');
  expect(await faultOf(who.send(orderCalls.add, { deviceId: devices[1]?.id ?? 0, partnerId: 2 ** 40, fault: 'x' }))).toBe('ORDER_PARTNER');
  await Promise.all(devices.slice(1).map(({ id }) => makeOrder(who, id, own.id)));
  expect((await numbersOf(who)).toSorted()).toEqual([1, 2, 3, 4].map((n) => `AS${year}-0000${n}`));
});

test('one terminal is in one open order at most, whoever asks at once', async () => {
  const { id: deviceId } = await terminal(branch);
  const asked = { deviceId, partnerId: bank.id, fault: 'screen' };
  const answers = await Promise.all([1, 2, 3].map(() => ofBranch.send(orderCalls.add, asked)));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 400, 400]);
  expect(answers.flatMap(({ code, body }) => (code === 400 ? [body?.fault] : []))).toEqual(['ORDER_OPEN', 'ORDER_OPEN']);
  const [open] = (await ofBranch.call(orderCalls.page, { criteria: { deviceId } })).content;
  await ofBranch.call(orderCalls.cancel, { id: open?.id ?? 0, reason: 'Works again' });
  await makeOrder(ofBranch, deviceId, bank.id);
});

test('of two who act at once one is overtaken', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  await ofBank.call(orderCalls.accept, { id });
  const answers = await Promise.all([ofBank.send(orderCalls.receive, { id }), ofBranch.send(orderCalls.cancel, { id })]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409]);
  expect(await eventsOf(ofBranch, id)).toHaveLength(3);
});

test('partners are the own organisation, those above and those below, and no other', async () => {
  const names = async (who: Client, text = '') => (await who.call(orderCalls.partners, { text })).map(({ name }) => name);
  expect(await names(ofBranch)).toEqual(expect.arrayContaining(['Branch', 'Bank']));
  expect(await names(ofBranch)).not.toContain('Service desk');
  expect(await names(ofBank, 'desk')).toEqual(['Service desk']);
  const { id: deviceId } = await terminal(branch);
  expect(await faultOf(ofBranch.send(orderCalls.add, { deviceId, partnerId: desk.id, fault: 'x' }))).toBe('ORDER_PARTNER');
  expect(await faultOf(ofDesk.send(orderCalls.add, { deviceId, partnerId: desk.id, fault: 'x' }))).toBe('NOT_FOUND');
  // Whose terminal it is counts, also where somebody acts who stands above them all.
  expect(await faultOf(ofBank.send(orderCalls.add, { deviceId, partnerId: desk.id, fault: 'x' }))).toBe('ORDER_PARTNER');
  const { id } = await makeOrder(ofBank, deviceId, branch.id);
  expect(await faultOf(ofBank.send(orderCalls.update, { id, partnerId: desk.id, fault: 'x' }))).toBe('ORDER_PARTNER');
});

test('merchant, shop and contact come from the terminal, and are written down', async () => {
  const { id: deviceId } = await terminal(bank);
  const merchant = await makeMerchant(ofBank, bank.id, { contactName: 'Jane', phone: '0049 30 1' });
  const shop = await makeShop(ofBank, merchant.id, { address: 'High Street 1', city: 'Berlin' });
  await app.context.unscoped((db) =>
    db.updateTable('device').set({ merchant_id: merchant.id, shop_id: shop.id }).where('id', '=', deviceId).execute(),
  );
  const { id } = await makeOrder(ofBank, deviceId, desk.id);
  expect(await ofDesk.call(orderCalls.detail, { id })).toMatchObject({
    merchantName: merchant.name,
    shopName: shop.name,
    contactName: 'Jane',
    phone: '0049 30 1',
    address: 'High Street 1, Berlin',
  });
});

test('what is late is found and counted, and what is over is never late', async () => {
  const own = await app.dept('Late', bank);
  const who = await app.person('orgManager', own, 'manager');
  const [one, two] = await makeStocked(app, own, productId, 2, '1');
  const today = app.clock.now;
  const dueOn = today.toISOString().slice(0, 10);
  const late = await makeOrder(who, one?.id ?? 0, own.id, { dueOn });
  const over = await makeOrder(who, two?.id ?? 0, own.id, { dueOn });
  await who.call(orderCalls.cancel, { id: over.id });
  try {
    app.clock.now = new Date(today.getTime() + 86_400_000);
    expect(await numbersOf(who, { late: true })).toEqual([late.number]);
    expect(await numbersOf(who, { late: false })).toEqual([over.number]);
    expect(await who.call(orderCalls.summary, {})).toEqual({ open: 1, late: 1, waiting: 1, capped: false });
    // What is on its way back has been done: no list calls it late, as no message does.
    await receiveOrder(who, late.id);
    await who.call(orderCalls.refuse, { id: late.id, reason: 'Beyond repair' });
    expect(await numbersOf(who, { late: true })).toEqual([]);
    expect((await who.call(orderCalls.detail, { id: late.id })).late).toBe(false);
    expect(await who.call(orderCalls.summary, {})).toMatchObject({ open: 1, late: 0 });
  } finally {
    app.clock.now = today;
  }
});

test('a partner that moves keeps its orders', async () => {
  const moved = await app.dept('Moved', bank);
  const who = await app.person('orgManager', moved, 'manager');
  const { id: deviceId } = await terminal(bank);
  const { id } = await makeOrder(ofBank, deviceId, moved.id);
  const path = `${desk.path}${moved.id}.`;
  await app.context.unscoped((db) => db.updateTable('org_dept').set({ dept_path: path }).where('id', '=', moved.id).execute());
  const found = await app.context.unscoped((db) =>
    db.selectFrom('order_order').select('partner_path').where('id', '=', id).executeTakeFirst(),
  );
  expect(found?.partner_path).toBe(path);
  expect(who.userId).toBeGreaterThan(0);
});

test('messages reach the other side', async () => {
  const { id: deviceId, sn } = await terminal(bank);
  const { id, number } = await makeOrder(ofBank, deviceId, desk.id);
  await ofBank.call(orderCalls.say, { id, text: 'Please hurry' });
  expect((await eventsOf(ofDesk, id))[0]).toEqual([null, 'customer', 'Please hurry']);
  expect(await mailsOf(ofDesk)).toContain(`Message about order ${number}`);
  await ofDesk.call(orderCalls.say, { id, text: `What about ${sn}?` });
  expect((await eventsOf(ofBank, id))[0]).toEqual([null, 'service', `What about ${sn}?`]);
  expect(await faultOf(ofBank.send(orderCalls.say, { id, text: 'x', files: [2 ** 40] }))).toBe('NOT_FOUND');
});

test('statistics count both sides, and each bar of the time stands there', async () => {
  const own = await app.dept('Counting', bank);
  const who = await app.person('orgManager', own, 'manager');
  const [one, two] = await makeStocked(app, own, productId, 2, '1');
  const first = await makeOrder(who, one?.id ?? 0, own.id, { fault: 'screen' });
  await makeOrder(who, two?.id ?? 0, bank.id, { fault: 'battery' });
  await who.call(orderCalls.cancel, { id: first.id });
  const found = await who.call(orderCalls.statistic, { days: '30' });
  expect(found.times).toHaveLength(30);
  expect(found.times.at(-1)).toMatchObject({ made: 2, closed: 0, cancelled: 1 });
  expect(found.faults.map(({ fault, count }) => [fault, count])).toEqual([
    ['battery', 1],
    ['screen', 1],
  ]);
  expect(found.averageDays).toBeNull();
  for (const [days, bars] of [
    ['90', 13],
    ['365', 12],
  ] as const) {
    const { times } = await who.call(orderCalls.statistic, { days });
    expect([times.length, times.reduce((sum, { made }) => sum + made, 0)]).toEqual([bars, 2]);
  }
  expect((await ofDesk.call(orderCalls.statistic, { days: '30' })).faults.map(({ fault }) => fault)).not.toContain('battery');
});

test('a terminal of the partner’s stock takes the place of the faulty one', async () => {
  const { id: deviceId, sn } = await terminal(branch);
  const merchant = await makeMerchant(ofBranch, branch.id);
  await app.context.unscoped((db) => db.updateTable('device').set({ merchant_id: merchant.id }).where('id', '=', deviceId).execute());
  const [spare, used] = await makeStocked(app, bank, productId, 2);
  const [elsewhere] = await makeStocked(app, desk, productId, 1);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  await receiveOrder(ofBank, id);
  const replace = (replacementId: number) => ofBank.send(orderCalls.replace, { id, replacementId, workDone: 'Swapped' });
  expect(await faultOf(replace(spare?.id ?? 0))).toBe('OVERTAKEN');
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Mainboard' });
  await ofBank.call(orderCalls.diagnose, { id });
  expect((await ofBank.call(orderCalls.replacements, { id, text: spare?.sn ?? '' })).map((one) => one.sn)).toEqual([spare?.sn]);
  expect(await ofBank.call(orderCalls.replacements, { id, text: elsewhere?.sn ?? '' })).toEqual([]);
  expect(await ofBranch.call(orderCalls.replacements, { id })).toEqual([]);
  for (const wrong of [elsewhere?.id ?? 0, deviceId, 2 ** 40]) expect(await faultOf(replace(wrong))).toBe('ORDER_REPLACEMENT');
  expect(await faultOf(ofBranch.send(orderCalls.replace, { id, replacementId: used?.id ?? 0 }))).toBe('ORDER_SIDE');
  await ofBank.call(orderCalls.replace, { id, replacementId: spare?.id ?? 0, workDone: 'Swapped' });
  expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ state: 'returning', replacementSn: spare?.sn });
  const [there, back] = [spare?.id ?? 0, deviceId].map((one) => ofBank.call(deviceCalls.detail, { id: one }));
  expect(await there).toMatchObject({ status: '1', deptName: 'Branch', merchantId: merchant.id });
  expect(await back).toMatchObject({ sn, status: '5', deptName: 'Bank', merchantId: null });
  // It is the partner's to have repaired by now, whether the other one has arrived or not.
  await makeOrder(ofBank, deviceId, bank.id);
  await ofBank.call(orderCalls.ship, { id, carrier: 'UPS', number: '1Z' });
  const textsOf = async (who: Client) => (await who.call(messageCalls.page, {})).content.map(({ text }) => text);
  await app.runJobs();
  expect((await textsOf(ofBranch)).join()).toContain(`Bank is done with ${spare?.sn}`);
  expect((await textsOf(ofBranch)).join()).toContain(`Bank shipped ${spare?.sn}`);
  await ofBranch.call(orderCalls.delivered, { id });
  await app.runJobs();
  expect((await textsOf(ofBank)).join()).toContain(`confirmed that ${spare?.sn} is back`);
});

test('what hangs on a message is the other side’s to open, and nobody else’s', async () => {
  const { id: deviceId } = await terminal(bank);
  const { id } = await makeOrder(ofBank, deviceId, desk.id);
  const file = await makeFile(app, ofBank, bank);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind: '8', name: 'log.txt' }).where('id', '=', file).execute());
  expect(await faultOf(ofDesk.send(fileCalls.getSecurityToken, { id: file }))).toBe('NOT_FOUND');
  expect(await faultOf(ofDesk.send(orderCalls.say, { id, text: 'Stolen', files: [file] }))).toBe('NOT_FOUND');
  await ofBank.call(orderCalls.say, { id, text: 'See the log', files: [file] });
  const [entry] = (await ofDesk.call(orderCalls.entries, { id })).content;
  expect(entry?.files).toEqual([{ id: file, name: 'log.txt', size: 4096 }]);
  await ofBank.call(orderCalls.say, { id, text: 'It is in the log', files: [file] });
  const hanging = (await ofDesk.call(orderCalls.entries, { id })).content.map(({ files }) => files.map((one) => one.id));
  expect(hanging).toEqual([[file], [file], []]);
  expect((await ofDesk.call(fileCalls.getSecurityToken, { id: file })).token).not.toBe('');
  expect(await faultOf(outsider.send(fileCalls.getSecurityToken, { id: file }))).toBe('NOT_FOUND');
});

test('another partner is told of an order that goes to it, and the one before has it no longer', async () => {
  const { id: deviceId } = await terminal(bank);
  const { id, revision, number } = await makeOrder(ofBank, deviceId, bank.id);
  expect(await mailsOf(ofDesk)).not.toContain(`New after-sales order ${number}`);
  await ofBank.call(orderCalls.update, { id, revision, partnerId: desk.id, fault: 'screen' });
  expect(await mailsOf(ofDesk)).toContain(`New after-sales order ${number}`);
  expect(await ofDesk.call(orderCalls.detail, { id })).toMatchObject({ partnerName: 'Service desk', fault: 'screen' });
  await ofBank.call(orderCalls.update, { id, partnerId: bank.id, fault: 'screen' });
  expect(await faultOf(ofDesk.send(orderCalls.detail, { id }))).toBe('NOT_FOUND');
});
