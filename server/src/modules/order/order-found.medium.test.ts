import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, numbersOf, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
});
afterAll(() => app.stop());

async function terminal(owner: DeptAt): Promise<{ id: number; sn: string }> {
  const [one] = await makeStocked(app, owner, productId, 1, '1');
  if (!one) throw new Error('one');
  return one;
}
const mailsOf = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.map(({ title }) => title);
};

test('orders are sorted by the day that they are due and by that of their end, and none is hidden that has no such day', async () => {
  const own = await app.dept('Sorted', bank);
  const who = await app.person('orgManager', own, 'manager');
  const made = [];
  for (const dueOn of ['2999-01-02', null, '2999-01-01', null])
    made.push(await makeOrder(who, (await terminal(own)).id, own.id, dueOn === null ? {} : { dueOn }));
  const [second, , first, fourth] = made.map(({ number }) => number);
  await who.call(orderCalls.cancel, { id: made[3]?.id ?? 0 });
  // One by one, by the cursor of each: a row without the day would be skipped.
  const all = async (sort: 'dueOn' | 'closedAt', order: 'asc' | 'desc') => {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const { content, next } = await who.call(orderCalls.page, { page: { size: 1, sort, order, ...(after ? { after } : {}) } });
      found.push(...content.map(({ number }) => number));
      if (next === null) return found;
      after = next;
    }
  };
  const due = await all('dueOn', 'asc');
  expect(due.slice(0, 2)).toEqual([first, second]);
  expect(due).toHaveLength(4);
  expect((await all('dueOn', 'desc')).slice(2)).toEqual([second, first]);
  const ended = await all('closedAt', 'asc');
  expect([ended[0], ended.length]).toEqual([fourth, 4]);
});

test('orders are found by what the partner says of the warranty', async () => {
  const [said, none] = [
    await makeOrder(ofBranch, (await terminal(branch)).id, bank.id),
    await makeOrder(ofBranch, (await terminal(branch)).id, bank.id),
  ];
  await receiveOrder(ofBank, said.id);
  await ofBank.call(orderCalls.quote, { id: said.id, diagnosis: 'Water', labour: '5', covered: false, warrantyReason: 'Opened' });
  for (const who of [ofBank, ofBranch]) {
    const found = await numbersOf(who, { warranty: 'denied' });
    expect([found.includes(said.number), found.includes(none.number)]).toEqual([true, false]);
  }
});

test('the page of a terminal that came in place of another one has the order that brought it', async () => {
  const faulty = await terminal(branch);
  const [spare] = await makeStocked(app, bank, productId, 1);
  const { id, number } = await makeOrder(ofBranch, faulty.id, bank.id);
  await receiveOrder(ofBank, id);
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Mainboard' });
  await ofBank.call(orderCalls.diagnose, { id });
  await ofBank.call(orderCalls.replace, { id, replacementId: spare?.id ?? 0 });
  for (const deviceId of [faulty.id, spare?.id ?? 0]) {
    expect(await numbersOf(ofBranch, { deviceId })).toEqual([number]);
    expect(await numbersOf(ofBranch, { deviceId: { in: [deviceId] } })).toEqual([number]);
  }
  expect(await numbersOf(ofBranch, { deviceId: (await terminal(branch)).id })).toEqual([]);
});

test('statistics count what the filters leave: one partner, one product', async () => {
  const [own, workshop] = [await app.dept('Counts', bank), await app.dept('Counted', bank)];
  const who = await app.person('orgManager', own, 'manager');
  await makeOrder(who, (await terminal(own)).id, own.id, { fault: 'screen' });
  await makeOrder(who, (await terminal(own)).id, bank.id, { fault: 'battery' });
  const made = async (criteria: object) => (await who.call(orderCalls.statistic, { days: '30', criteria })).times.at(-1)?.made;
  expect(await made({})).toBe(2);
  expect(await made({ partnerId: bank.id })).toBe(1);
  expect(await made({ partnerId: { in: [own.id, bank.id] } })).toBe(2);
  expect(await made({ partnerId: workshop.id })).toBe(0);
  expect([await made({ deptId: own.id, productId }), await made({ productId: 2 ** 40 })]).toEqual([2, 0]);
  const { faults } = await who.call(orderCalls.statistic, { days: '30', criteria: { partnerId: bank.id } });
  expect(faults.map(({ fault }) => fault)).toEqual(['battery']);
  expect((await who.send(orderCalls.statistic, { days: '30', criteria: { state: 'closed' } } as never)).code).toBe(400);
});

test('orders are found by their engineer, and those that nobody has', async () => {
  const fixer = await app.person('orgManager', bank, 'manager');
  const [theirs, free] = [
    await makeOrder(ofBranch, (await terminal(branch)).id, bank.id),
    await makeOrder(ofBranch, (await terminal(branch)).id, bank.id),
  ];
  expect(await numbersOf(ofBank, { unassigned: true })).not.toContain(free.number);
  await ofBank.call(orderCalls.accept, { id: theirs.id, engineerId: fixer.userId });
  await ofBank.call(orderCalls.accept, { id: free.id });
  expect(await numbersOf(ofBank, { engineerId: fixer.userId })).toEqual([theirs.number]);
  const found = await numbersOf(ofBank, { unassigned: true });
  expect(found).toContain(free.number);
  expect(found).not.toContain(theirs.number);
  const offered = (who: Client) => who.call(orderCalls.engineers, {}).then((all) => all.map(({ id }) => id));
  expect(await offered(ofBank)).toContain(fixer.userId);
  // What is given of the two changes, the other one stays.
  await ofBank.call(orderCalls.assign, { id: theirs.id, dueOn: '2999-03-01' });
  expect(await ofBank.call(orderCalls.assign, { id: theirs.id, engineerId: fixer.userId })).toMatchObject({
    engineerId: fixer.userId,
    dueOn: '2999-03-01',
  });
  // Whoever may repair no longer is where their orders are looked for, and nowhere else.
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${fixer.userId}`.execute(db));
  expect(await offered(ofBank)).toContain(fixer.userId);
  expect(await ofBank.call(orderCalls.engineers, { id: free.id })).not.toContainEqual(expect.objectContaining({ id: fixer.userId }));
  expect(await offered(ofBranch)).not.toContain(fixer.userId);
});

test('orders are found by the days that they are due on, the same for both sides', async () => {
  const due = async (dueOn: string | null) => {
    const order = await makeOrder(ofBranch, (await terminal(branch)).id, bank.id);
    await ofBank.call(orderCalls.accept, { id: order.id, dueOn });
    return order.number;
  };
  const [early, late, never] = [await due('2031-05-04'), await due('2031-05-10'), await due(null)];
  const week = { dueOn: { greaterThanOrEqual: '2031-05-04', lessThanOrEqual: '2031-05-09' } };
  for (const who of [ofBank, ofBranch]) {
    expect(await numbersOf(who, week)).toEqual([early]);
    const later = await numbersOf(who, { dueOn: { greaterThanOrEqual: '2031-05-09' } });
    expect([later.includes(late), later.includes(never)]).toEqual([true, false]);
  }
  expect((await ofBank.send(orderCalls.page, { criteria: { dueOn: { greaterThanOrEqual: '2031-05-04T00:00:00.000Z' } } })).code).toBe(400);
});

test('what waits for the other side isn’t counted as one’s own, also where that stands below', async () => {
  const upper = await app.dept('Upper', bank);
  const lower = await app.dept('Lower', upper);
  const [ofUpper, ofLower] = [await app.person('orgManager', upper, 'manager'), await app.person('orgManager', lower, 'manager')];
  const { id } = await makeOrder(ofLower, (await terminal(lower)).id, upper.id);
  const counted = async () => [(await ofLower.call(orderCalls.summary, {})).waiting, (await ofUpper.call(orderCalls.summary, {})).waiting];
  expect(await counted()).toEqual([0, 1]);
  await receiveOrder(ofUpper, id);
  await ofUpper.call(orderCalls.quote, { id, diagnosis: 'Battery', labour: '10' });
  expect(await counted()).toEqual([1, 0]);
  expect([await numbersOf(ofUpper, { side: 'customer' }), await numbersOf(ofUpper, { side: 'service' })].map((all) => all.length)).toEqual([
    0, 1,
  ]);
});

test('a terminal that is expected and not on its way waits for who ordered, who is told where it goes', async () => {
  const [place, at] = [
    await app.dept('Workshop', bank),
    { contactName: 'Wanda', contactPhone: '+44 20 7946 0000', address: '1 Dock Road' },
  ];
  await app.context.unscoped((db) =>
    sql`update org_dept set contact_name = ${at.contactName}, contact_phone = ${at.contactPhone}, address = ${at.address} where id = ${place.id}`.execute(
      db,
    ),
  );
  const workshop = await app.person('orgManager', place, 'manager');
  const { id, number } = await makeOrder(ofBank, (await terminal(bank)).id, place.id, { dueOn: '2999-01-01' });
  const before = await mailsOf(ofBank);
  await workshop.call(orderCalls.accept, { id, dueOn: '2999-02-01' });
  const [said] = (await ofBank.call(orderCalls.entries, { id })).content;
  expect(said).toMatchObject({ event: 'accept', text: '2999-02-01' });
  expect((await mailsOf(ofBank)).length - before.length).toBe(2);
  expect(await mailsOf(ofBank)).toContain(`Order ${number} has another due date`);
  expect(await ofBank.call(orderCalls.detail, { id })).toMatchObject({
    waiting: true,
    partnerAddress: 'Wanda · +44 20 7946 0000 · 1 Dock Road',
  });
  expect((await workshop.call(orderCalls.detail, { id })).waiting).toBe(false);
  const { revision } = await ofBank.call(orderCalls.detail, { id });
  await ofBank.call(orderCalls.ship, { id, revision, carrier: 'Harbour Post', number: 'HP-77-1' });
  expect((await ofBank.call(orderCalls.detail, { id })).waiting).toBe(false);
  // A parcel stands in the workshop, and nobody knows what it belongs to.
  expect(await numbersOf(workshop, { text: 'hp-77' })).toEqual([number]);
  expect(await numbersOf(ofBank, { text: 'hp-77' })).toEqual([number]);
  const ofOthers = await numbersOf(workshop, { deptId: branch.id });
  expect([await numbersOf(workshop, { deptId: bank.id }), ofOthers]).toEqual([[number], []]);
});

test('what is late and what waits is counted among all that is open', async () => {
  const busy = await app.dept('Busy', bank);
  const ofBusy = await app.person('orgManager', busy, 'manager');
  // Ten thousand that are neither, before the few that are.
  await app.context.unscoped((db) =>
    sql`
      insert into order_order (number, state, device_id, sn, out_number, partner_id, partner_name, partner_path, fault, due_on, dept_id, dept_name, dept_path)
      select 'N' || n, case when n > 10500 then 'created' else 'accepted' end, 1000000 + n, 'N' || n, 'Parcel', ${busy.id}, 'Busy', ${busy.path}, 'other',
        case when n > 10500 then date '2020-01-01' end, ${busy.id}, 'Busy', ${busy.path} from generate_series(1, 10507) n`.execute(db),
  );
  expect(await ofBusy.call(orderCalls.summary, {})).toEqual({ open: 10_000, late: 7, waiting: 7, capped: true });
});
