import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dispatchCalls, transferCalls } from '@mooring/contract/inventory/dispatch';
import { arrivalCalls, receiptCalls } from '@mooring/contract/inventory/receipt';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginAgain } from '../../../test/begin-again.ts';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import type { DeptAt } from '../org/api.ts';
import { makeStocked, receiptOf } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Bank', line);
  branch = await app.dept('Branch', line);
  ofBank = await app.person('orgManager', bank, 'manager');
  ofBranch = await app.person('orgManager', branch, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const listed = async (number: string, count: number) => {
  const sns = (await makeStocked(app, bank, productId, count)).map(({ sn }) => sn);
  return (await ofBank.call(dispatchCalls.add, { toId: branch.id, toName: 'Branch', number, sns })).id ?? 0;
};
const sent = async (number: string, count: number) => {
  await ofBank.call(dispatchCalls.transfer, { id: await listed(number, count) });
  await app.runJobs();
  return (await receiptOf(ofBranch, number))?.id ?? 0;
};
const all = <C>(criteria: C) => ({ criteria, except: [] });
const detail = (id: number) => ofBank.call(dispatchCalls.detail, { id });
const jobOf = (who: Client, work: number | null) => who.call(backgroundJobCalls.detail, { id: work ?? 0 });
const signed = { signedBy: 'Ann Smith', document: 'R-1', signature: [[1, 1, 9, 9]] };
const signaturesOf = async (id: number) =>
  (await ofBranch.call(receiptCalls.signatures, { id })).map(({ document, terminals, signature }) => [document, terminals, signature]);
/** Tells the database to do something when the work of a job gets on. */
async function atEachStep(what: string, during: () => Promise<void>): Promise<void> {
  await asOwner(app.url, (owner) =>
    owner.query(`create function at_step() returns trigger language plpgsql security definer as $$ begin ${what} return new; end $$;
      create trigger at_step before update of done on work for each row when (old.state = 'running' and new.state = 'running') execute function at_step()`),
  );
  await during();
  await asOwner(app.url, (owner) => owner.query('drop trigger at_step on work; drop function at_step'));
}
const auditOf = async (target: string) => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ after: object }>`select after from audit_entry where target = ${target} order by id desc limit 1`.execute(db),
  );
  return rows[0]?.after;
};

test('all that match stay chosen, though sending them changes what they were found by', async () => {
  const id = await listed('S-1', 1200);
  const { work, total } = await ofBank.call(dispatchCalls.transferMany, { of: all({ text: 'S-1', state: '1' as const }) });
  expect(total).toBe(1200);
  await app.runJobs();
  expect(await jobOf(ofBank, work)).toMatchObject({ state: 'done', total: 1200, done: 1200, failed: 0 });
  expect(await detail(id)).toMatchObject({ state: '5', sent: 1200 });
  expect(await auditOf('dispatch S-1')).toEqual({ send: 1200 });
});

test('so do deliveries that were found by a document which their signature replaces', async () => {
  const id = await sent('S-2', 1200);
  await app.context.unscoped((db) => sql`update inventory_receipt set document = 'OLD-7' where id = ${id}`.execute(db));
  const { work } = await ofBranch.call(receiptCalls.acceptMany, { of: all({ text: 'OLD-7' }), ...signed });
  await app.runJobs();
  expect(await jobOf(ofBranch, work)).toMatchObject({ state: 'done', done: 1200, failed: 0 });
  expect(await ofBranch.call(receiptCalls.detail, { id })).toMatchObject({ accepted: 1200, waiting: 0 });
  expect(await signaturesOf(id)).toEqual([['R-1', 1200, [[1, 1, 9, 9]]]]);
  expect(await auditOf('receipt S-2')).toEqual({ accepted: 1200, document: 'R-1', signedBy: 'Ann Smith' });
});

test('chosen terminals are what was chosen when the act began, however late its job comes', async () => {
  const id = await listed('S-3', 600);
  const { work } = await ofBank.call(transferCalls.send, { of: all({ dispatchId: id, state: '1' as const }) });
  await app.runJobs();
  expect(await jobOf(ofBank, work)).toMatchObject({ state: 'done', done: 600 });
  const receipt = (await receiptOf(ofBranch, 'S-3'))?.id ?? 0;
  const back = await ofBranch.call(arrivalCalls.refuse, { of: all({ receiptId: receipt, state: '1' as const }), reason: 'Wet' });
  await app.runJobs();
  expect(await jobOf(ofBranch, back.work)).toMatchObject({ state: 'done', done: 600 });
  expect(await auditOf('receipt S-3')).toEqual({ refuse: 600, reason: 'Wet' });
});

test('a job whose process died goes on where it was: one signature, and all of them counted', async () => {
  const id = await sent('S-4', 1200);
  const { work } = await ofBranch.call(receiptCalls.accept, { id, ...signed });
  await atEachStep(`if new.done > 500 then raise exception 'gone'; end if;`, () => app.runJobs());
  expect(await jobOf(ofBranch, work)).toMatchObject({ state: 'running', done: 500 });
  await beginAgain(app, ofBranch, branch, 'inventory.many', { work, name: 'accept', params: { id, sns: [], ...signed } }, true, 'manager');
  await app.runJobs();
  expect(await jobOf(ofBranch, work)).toMatchObject({ state: 'done', done: 1200, failed: 0 });
  expect(await signaturesOf(id)).toEqual([['R-1', 1200, [[1, 1, 9, 9]]]]);
});

test('a job of an older version, with the row of its handwriting, signs with that', async () => {
  const id = await sent('S-5', 600);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number }>`insert into inventory_signature (receipt_id, document, signed_by, signature, dept_path)
      values (${id}, 'R-5', 'Bob', '[[2, 2, 8, 8]]', ${branch.path}) returning id`.execute(db),
  );
  const { work } = await ofBranch.call(receiptCalls.accept, { id, ...signed });
  await atEachStep(`if new.done > 0 then raise exception 'gone'; end if;`, () => app.runJobs());
  const params = { id, sns: [], document: 'R-5', signedBy: 'Bob', signature: rows[0]?.id };
  await beginAgain(app, ofBranch, branch, 'inventory.many', { work, name: 'accept', params }, false, 'manager');
  await app.runJobs();
  expect(await signaturesOf(id)).toEqual([['R-5', 600, [[2, 2, 8, 8]]]]);
});

test('dispatches of many terminals end in the background, one after the other, and may be cancelled between them', async () => {
  const ids = [await listed('W-1', 300), await listed('W-2', 300), await listed('W-3', 1)];
  const { work, total, done } = await ofBank.call(dispatchCalls.withdrawMany, { of: { ids } });
  expect({ total, done }).toEqual({ total: 3, done: 0 });
  // It is asked with each of them: what is under way when its owner cancels is the last.
  await atEachStep(`if new.done = 1 then new.state = 'cancelled'; end if;`, () => app.runJobs());
  expect(await jobOf(ofBank, work)).toMatchObject({ state: 'cancelled', done: 2 });
  expect(await Promise.all(ids.map(async (id) => (await detail(id)).state))).toEqual(['7', '7', '1']);
  const again = await ofBank.call(dispatchCalls.deleteMany, { of: { ids } });
  await app.runJobs();
  expect(await jobOf(ofBank, again.work)).toMatchObject({ state: 'done', total: 3, done: 3 });
});

test('what of the chosen can’t be is counted and named, before and after', async () => {
  const ids = [await listed('M-1', 1), await listed('M-2', 1), await listed('M-3', 2)];
  await ofBank.call(dispatchCalls.transfer, { id: ids[2] ?? 0 });
  await ofBranch.call(receiptCalls.accept, { id: (await receiptOf(ofBranch, 'M-3'))?.id ?? 0, sns: [], ...signed });
  const of = all({ text: 'M-' });
  const out = { id: ids[2], label: 'M-3', fault: 'DISPATCH_OUT' };
  const nothing = { id: ids[2], label: 'M-3', fault: 'DISPATCH_STATE' };
  expect(await ofBank.call(dispatchCalls.transferMany, { of, preview: true })).toMatchObject({ total: 3, refused: 1, failed: [nothing] });
  expect(await ofBank.call(dispatchCalls.withdrawMany, { of, preview: true })).toMatchObject({ total: 3, refused: 1, failed: [out] });
  expect(await ofBank.call(dispatchCalls.withdrawMany, { of })).toMatchObject({ total: 3, done: 2, refused: 1, failed: [out] });
  expect(await auditOf('dispatch (2)')).toEqual({ withdraw: 2 });
  const ended = await ofBank.call(dispatchCalls.withdrawMany, { of, preview: true });
  expect(ended.failed.map(({ label, fault }) => `${label} ${fault}`)).toEqual([
    'M-1 DISPATCH_WITHDRAWN',
    'M-2 DISPATCH_WITHDRAWN',
    'M-3 DISPATCH_OUT',
  ]);
});

test('more are counted than one delivery has, and each of them is done', async () => {
  const id = await listed('N-1', 1);
  await app.context.unscoped((db) =>
    sql`with made as (insert into device (sn, name, status, product_id, dept_id, dept_path)
        select 'NUM' || n, 'Num ' || n, '5', ${productId}, ${bank.id}, ${bank.path} from generate_series(1, 20500) n returning id, sn)
      insert into inventory_transfer (dispatch_id, device_id, sn, dept_path) select ${id}, id, sn, ${bank.path} from made`.execute(db),
  );
  const of = all({ text: 'N-1' });
  expect(await ofBank.call(transferCalls.send, { of: all({ dispatchId: id }), preview: true })).toMatchObject({
    total: 20_501,
    refused: 0,
  });
  expect(await ofBank.call(dispatchCalls.transferMany, { of })).toMatchObject({ total: 20_501 });
  expect(await auditOf('dispatch N-1')).toEqual({ send: 20_501 });
});
