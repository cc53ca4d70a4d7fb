import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import type { Db } from '../../platform/context.ts';
import { codesWith } from '../access/api.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let desk: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
  desk = await app.dept('Service desk', bank);
});
afterAll(() => app.stop());

async function terminal(owner: DeptAt): Promise<{ id: number; sn: string }> {
  const [one] = await makeStocked(app, owner, productId, 1, '1');
  if (!one) throw new Error('one');
  return one;
}
/** Somebody who may do this much, and no more. */
let roles = 0;
async function personWith(at: DeptAt, can: readonly string[], category = '0'): Promise<Client> {
  roles += 1;
  const [code, menus] = [`some${roles}`, can.flatMap(codesWith)];
  await app.context.unscoped((db) =>
    sql`insert into access_role (code, name, type, category, platforms, menus, dept_id, dept_path)
      values (${code}, ${code}, '2', ${category}, '{manager}', ${menus}::text[], 1, '1.')`.execute(db),
  );
  return app.person(code, at, 'manager');
}
/** Until somebody waits for a lock, or has no need to. */
async function waiting(db: Db): Promise<void> {
  for (let asked = 0; asked < 200; asked += 1) {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
  }
}
const actsOf = async (who: Client, id: number) => (await who.call(orderCalls.detail, { id })).allowedActions.toSorted();
const mailsOf = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.map(({ title }) => title);
};

test('more steps at once than there are connections come to an end', async () => {
  const { id: deviceId } = await terminal(bank);
  const { id } = await makeOrder(ofBank, deviceId, desk.id);
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => ofBank.send(orderCalls.say, { id, text: `Word ${at}` })));
  expect(answers.map(({ code }) => code)).toEqual(Array(16).fill(200));
});

test('numbers go on after a merge, also where those that came are next', async () => {
  const [source, target] = [await app.dept('Numbered', bank), await app.dept('Numbering', bank)];
  const devices = await makeStocked(app, source, productId, 2, '1');
  for (const { id } of devices) await makeOrder(ofBank, id, source.id);
  const [first, next] = await makeStocked(app, target, productId, 2, '1');
  await makeOrder(ofBank, first?.id ?? 0, target.id);
  await (await app.person('platformAdmin', app.root)).call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  const { number } = await makeOrder(ofBank, next?.id ?? 0, target.id);
  expect(number).toBe(`AS${app.clock.now.getUTCFullYear()}-00003`);
});

test.each(['move', 'merge'] as const)('a partner that comes elsewhere while an order is being made has it there: %s', async (kind) => {
  const [source, target] = [await app.dept(`From ${kind}`, bank), await app.dept(`Into ${kind}`, bank)];
  const { id: deviceId } = await terminal(bank);
  const row = { number: `X-${kind}`, device_id: deviceId, sn: 'X', fault: 'x', dept_id: bank.id, dept_name: 'Bank', dept_path: bank.path };
  const partner = { partner_id: source.id, partner_name: 'x', partner_path: source.path };
  const set = kind === 'merge' ? { merged_into: target.id } : { dept_path: `${target.path}${source.id}.` };
  const partnerOf = (id: number) =>
    app.context.unscoped((db) =>
      db.selectFrom('order_order').select(['partner_id', 'partner_path']).where('id', '=', id).executeTakeFirstOrThrow(),
    );
  const there =
    kind === 'merge'
      ? { partner_id: target.id, partner_path: target.path }
      : { partner_id: source.id, partner_path: `${target.path}${source.id}.` };
  let changing: Promise<unknown> = Promise.resolve();
  // Made before it, committed after it has begun.
  const id = await app.context.unscoped(async (db) => {
    const made = await db
      .insertInto('order_order')
      .values({ ...row, ...partner })
      .returning('id')
      .executeTakeFirstOrThrow();
    changing = app.context.unscoped((other) => other.updateTable('org_dept').set(set).where('id', '=', source.id).execute());
    await app.context.readOnly((other) => waiting(other));
    return made.id;
  });
  await changing;
  expect(await partnerOf(id)).toEqual(there);
  // Looked up before it, made after it.
  const again = { ...row, number: `Y-${kind}`, device_id: (await terminal(bank)).id };
  const second = await app.context.unscoped((db) =>
    db
      .insertInto('order_order')
      .values({ ...again, ...partner })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  expect(await partnerOf(second.id)).toEqual(there);
});

test('what can’t be repaired goes back, also when the repair has begun, and nothing is to be paid', async () => {
  for (const isBegun of [false, true]) {
    const { id } = await makeOrder(ofBranch, (await terminal(branch)).id, bank.id);
    await receiveOrder(ofBank, id);
    await ofBank.call(orderCalls.quote, { id, diagnosis: 'Mainboard', labour: '10' });
    if (isBegun) {
      await ofBranch.call(orderCalls.approveCosts, { id, total: 1000, currency: '1' });
      await ofBank.call(orderCalls.diagnose, { id });
    }
    expect(await actsOf(ofBank, id)).toContain('refuse');
    await ofBank.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
    expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ state: 'returning', costs: 'none', reason: 'Beyond repair' });
  }
});

test('costs that are found during the repair wait for approval as the first ones did, and what costs nothing interrupts nothing', async () => {
  const { id: deviceId, sn } = await terminal(branch);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  await receiveOrder(ofBank, id);
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Printer jammed' });
  await ofBank.call(orderCalls.diagnose, { id });
  expect(await ofBank.call(orderCalls.quote, { id, diagnosis: 'Printer jammed by a coin' })).toMatchObject({ state: 'repairing' });
  const found = { id, diagnosis: 'The board is broken too', parts: [{ name: 'Board', quantity: 1, price: '120.50' }], covered: false };
  expect(await ofBank.call(orderCalls.quote, { ...found, warrantyReason: 'None on record' })).toMatchObject({
    state: 'received',
    costs: 'asked',
  });
  expect(await mailsOf(ofBranch)).toContainEqual(expect.stringMatching(/^Approve the costs/));
  expect(await faultOf(ofBank.send(orderCalls.repaired, { id, workDone: `${sn} repaired` }))).toBe('OVERTAKEN');
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id }))).toBe('ORDER_WARRANTY_OPEN');
  await ofBranch.call(orderCalls.approveCosts, { id, total: 12_050, currency: '1' });
  await ofBank.call(orderCalls.diagnose, { id });
  // What was agreed to is entered with more words: nobody is asked twice for it.
  const again = await ofBank.call(orderCalls.quote, {
    ...found,
    diagnosis: 'The board is broken by water',
    warrantyReason: 'None on record',
  });
  expect(again).toMatchObject({ state: 'repairing', costs: 'approved', diagnosis: 'The board is broken by water' });
  expect(await ofBank.call(orderCalls.repaired, { id, workDone: 'Board replaced' })).toMatchObject({ state: 'returning' });
  const { content } = await ofBranch.call(orderCalls.entries, { id });
  expect(content.map(({ event }) => event).filter((event) => event === 'interrupt' || event === 'diagnose')).toEqual([
    'diagnose',
    'interrupt',
    'diagnose',
  ]);
  expect(await faultOf(ofBank.send(orderCalls.quote, { id, diagnosis: 'Too late' }))).toBe('OVERTAKEN');
});

test('who ordered changes whom to ask and where it goes back to until it is back, and the partner hears of it', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id, revision } = await makeOrder(ofBranch, deviceId, bank.id);
  const moved = { id, contactName: 'Ada Moreno', phone: '+44 20 7946 0000', address: '4 New Street' };
  expect(await faultOf(ofBranch.send(orderCalls.contact, moved))).toBe('OVERTAKEN');
  await receiveOrder(ofBank, id);
  expect(await faultOf(ofBranch.send(orderCalls.contact, { ...moved, revision }))).toBe('OVERTAKEN');
  expect(await faultOf(ofBank.send(orderCalls.contact, moved))).toBe('ORDER_SIDE');
  expect(await actsOf(ofBank, id)).not.toContain('contact');
  expect(await actsOf(ofBranch, id)).toContain('contact');
  // What isn't named would be emptied without a word.
  expect(await faultOf(ofBranch.send(orderCalls.contact, { id, address: moved.address }))).toBe('BAD_INPUT');
  await ofBranch.call(orderCalls.contact, moved);
  const { id: _id, ...shown } = moved;
  expect(await ofBank.call(orderCalls.detail, { id })).toMatchObject(shown);
  expect(await mailsOf(ofBank)).toContainEqual(expect.stringMatching(/has another contact or return address$/));
  await ofBank.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
  await ofBranch.call(orderCalls.delivered, { id });
  expect(await faultOf(ofBranch.send(orderCalls.contact, moved))).toBe('OVERTAKEN');
});

test('who ships for a side may act for it', async () => {
  const shop = await app.dept('Shop', bank);
  const ofShop = await app.person('orgManager', shop, 'manager');
  const writer = await personWith(shop, ['order:order:page', 'order:order:update']);
  const { id } = await makeOrder(ofShop, (await terminal(shop)).id, shop.id);
  await ofShop.call(orderCalls.accept, { id });
  await writer.call(orderCalls.ship, { id, carrier: 'DHL' });
  await ofShop.call(orderCalls.receive, { id });
  await ofShop.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
  expect(await actsOf(writer, id)).not.toContain('ship');
  expect(await faultOf(writer.send(orderCalls.ship, { id, carrier: 'DHL' }))).toBe('FORBIDDEN');
});

test('whoever may agree to costs hears of them, and the engineer of an order that is theirs', async () => {
  const payer = await personWith(branch, ['order:order:page', 'order:order:approve']);
  const engineer = await personWith(bank, ['order:order:page', 'order:order:handle']);
  const { id, number } = await makeOrder(ofBranch, (await terminal(branch)).id, bank.id);
  await ofBank.call(orderCalls.accept, { id, engineerId: engineer.userId });
  const theirs = `Order ${number} is yours to repair`;
  expect((await mailsOf(engineer)).filter((title) => title === theirs)).toHaveLength(1);
  await ofBank.call(orderCalls.assign, { id, engineerId: engineer.userId, dueOn: '2999-01-01' });
  expect((await mailsOf(engineer)).filter((title) => title === theirs)).toHaveLength(1);
  // Another due date is the other side's to know, another engineer the former one's.
  const due = `Order ${number} has another due date`;
  const dues = async () => (await mailsOf(ofBranch)).filter((title) => title === due).length;
  expect(await dues()).toBe(1);
  await ofBank.call(orderCalls.assign, { id, engineerId: null, dueOn: '2999-01-01' });
  expect([await dues(), (await mailsOf(engineer)).includes(`Order ${number} has another engineer`)]).toEqual([1, true]);
  await ofBank.call(orderCalls.assign, { id, engineerId: engineer.userId, dueOn: null });
  expect(await dues()).toBe(2);
  await ofBank.call(orderCalls.receive, { id });
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Battery', labour: '10' });
  for (const who of [payer, ofBranch]) expect(await mailsOf(who)).toContain(`Approve the costs of order ${number}`);
});

test('between people of one organisation a message reaches the other', async () => {
  const own = await app.dept('Own', bank);
  const [one, other] = [await app.person('orgManager', own, 'manager'), await app.person('orgManager', own, 'manager')];
  const { id, number } = await makeOrder(one, (await terminal(own)).id, own.id);
  await other.call(orderCalls.accept, { id, engineerId: other.userId });
  await one.call(orderCalls.say, { id, text: 'Please hurry' });
  expect(await mailsOf(other)).toContain(`Message about order ${number}`);
  expect(await mailsOf(one)).not.toContain(`Message about order ${number}`);
  await other.call(orderCalls.say, { id, text: 'It is done' });
  expect(await mailsOf(one)).toContain(`Message about order ${number}`);
});

test('nobody names an engineer whom they don’t see', async () => {
  const { id } = await makeOrder(ofBranch, (await terminal(branch)).id, bank.id);
  const hidden = await personWith(bank, ['order:order:handle'], '1');
  expect((await ofBank.call(orderCalls.engineers, { id })).map((one) => one.id)).not.toContain(hidden.userId);
  expect(await faultOf(ofBank.send(orderCalls.accept, { id, engineerId: hidden.userId }))).toBe('NOT_FOUND');
  await ofBank.call(orderCalls.accept, { id });
  expect(await faultOf(ofBank.send(orderCalls.assign, { id, engineerId: hidden.userId }))).toBe('NOT_FOUND');
});

test('who may not repair is offered to nobody as engineer, and whoever may no longer is followed by those who may', async () => {
  const { id, number } = await makeOrder(ofBranch, (await terminal(branch)).id, bank.id);
  const reader = await personWith(bank, ['order:order:page']);
  const engineer = await personWith(bank, ['order:order:page', 'order:order:handle']);
  const offered = (await ofBank.call(orderCalls.engineers, { id })).map((one) => one.id);
  expect([offered.includes(reader.userId), offered.includes(engineer.userId)]).toEqual([false, true]);
  expect(await faultOf(ofBank.send(orderCalls.accept, { id, engineerId: reader.userId }))).toBe('NOT_FOUND');
  await ofBank.call(orderCalls.accept, { id, engineerId: engineer.userId });
  expect(await faultOf(ofBank.send(orderCalls.assign, { id, engineerId: reader.userId }))).toBe('NOT_FOUND');
  await app.context.unscoped((db) =>
    sql`update access_role set menus = ${codesWith('order:order:page')}::text[] where id in (select role_id from access_user_role where user_id = ${engineer.userId})`.execute(
      db,
    ),
  );
  await ofBranch.call(orderCalls.say, { id, text: 'Who looks after it?' });
  expect(await mailsOf(ofBank)).toContain(`Message about order ${number}`);
  // The order goes on with them until it is another one's: its form has their name, and its date may be set.
  expect((await ofBank.call(orderCalls.engineers, { id, ids: [engineer.userId] })).map((one) => one.id)).toEqual([engineer.userId]);
  const { revision } = await ofBank.call(orderCalls.detail, { id });
  expect(await ofBank.call(orderCalls.assign, { id, revision, engineerId: engineer.userId, dueOn: '2999-02-01' })).toMatchObject({
    engineerId: engineer.userId,
    dueOn: '2999-02-01',
  });
  // Who has gone to another organisation hears nothing of it any more.
  const elsewhere = await app.dept('Elsewhere');
  await app.context.unscoped((db) =>
    db.updateTable('account_user').set({ dept_id: elsewhere.id, dept_path: elsewhere.path }).where('id', '=', engineer.userId).execute(),
  );
  await ofBank.call(orderCalls.assign, { id, engineerId: null, dueOn: null });
  await app.runJobs();
  const told = await app.context.unscoped((db) =>
    sql`select from message_delivery d join message_message m on m.id = d.message_id where m.text_key = 'orderUnassigned' and d.user_id = ${engineer.userId}`.execute(
      db,
    ),
  );
  expect(told.rows).toHaveLength(0);
});

test('nobody waits for ever for a side whose organisation is shut', async () => {
  const shut = (of: DeptAt) =>
    app.context.unscoped((db) => db.updateTable('org_dept').set({ state: 'disabled' }).where('id', '=', of.id).execute());
  const [partner, customer] = [await app.dept('Partner', bank), await app.dept('Customer', bank)];
  const ofPartner = await app.person('orgManager', partner, 'manager');
  const ofCustomer = await app.person('orgManager', customer, 'manager');
  const there = await makeOrder(ofBank, (await terminal(bank)).id, partner.id);
  await receiveOrder(ofPartner, there.id);
  const here = await makeOrder(ofCustomer, (await terminal(customer)).id, bank.id);
  await receiveOrder(ofBank, here.id);
  for (const { id } of [there, here]) expect(await faultOf(ofBank.send(orderCalls.cancel, { id }))).toBe('ORDER_ARRIVED');
  for (const { id } of [there, here]) expect(await actsOf(ofBank, id)).not.toContain('cancel');
  await shut(partner);
  await shut(customer);
  for (const { id } of [there, here]) {
    expect(await actsOf(ofBank, id)).toContain('cancel');
    await ofBank.call(orderCalls.cancel, { id, reason: 'Nobody is there' });
    expect(await ofBank.call(orderCalls.detail, { id })).toMatchObject({ state: 'cancelled', reason: 'Nobody is there' });
  }
});

test('who has the terminal now orders its repair, and the order of who had it before ends', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id: former, number } = await makeOrder(ofBranch, deviceId, bank.id);
  const now = await app.dept('Now', bank);
  const ofNow = await app.person('orgManager', now, 'manager');
  await app.context.unscoped((db) =>
    db.updateTable('device').set({ dept_id: now.id, dept_path: now.path }).where('id', '=', deviceId).execute(),
  );
  expect(await faultOf(ofNow.send(orderCalls.add, { deviceId, partnerId: desk.id, fault: 'x' }))).toBe('ORDER_PARTNER');
  expect(await ofBranch.call(orderCalls.detail, { id: former })).toMatchObject({ state: 'created' });
  await makeOrder(ofNow, deviceId, bank.id);
  expect(await ofBranch.call(orderCalls.detail, { id: former })).toMatchObject({ state: 'cancelled' });
  expect((await ofBranch.call(orderCalls.entries, { id: former })).content[0]).toMatchObject({ event: 'moved', by: '' });
  expect(await mailsOf(ofBranch)).toContain(`Order ${number} is over`);
  expect(await faultOf(ofNow.send(orderCalls.add, { deviceId, partnerId: bank.id, fault: 'x' }))).toBe('ORDER_OPEN');
});
