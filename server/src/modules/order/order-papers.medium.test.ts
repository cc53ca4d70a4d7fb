import { PICTURE } from '@mooring/contract/desktop/limits';
import { fileCalls } from '@mooring/contract/file/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
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

const terminal = async (owner: DeptAt) => ({ id: (await makeStocked(app, owner, productId, 1, '1'))[0]?.id ?? 0 });
const mailsOf = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.map(({ title }) => title);
};

const asked = ({ token }: Pick<Client, 'token'>, id: number) => ({
  method: 'POST' as const,
  url: `/ops${orderCalls.document.path}`,
  headers: { authorization: token, 'accept-platform': 'manager', 'accept-language': 'zh-CN' },
  payload: { id },
});

test('the order is a document for both sides, in their languages, and for nobody else', async () => {
  const { id: deviceId } = await terminal(bank);
  const { id, number } = await makeOrder(ofBank, deviceId, desk.id, { description: '打印机卡纸 <script>' });
  await receiveOrder(ofDesk, id);
  await ofDesk.call(orderCalls.quote, {
    id,
    diagnosis: 'Roller worn',
    parts: [{ name: 'Roller', quantity: 2, price: '12.50' }],
    labour: '10',
  });
  for (const who of [ofBank, ofDesk]) {
    const answer = await app.http.inject(asked(who, id));
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${number}.pdf`);
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  }
  expect(await faultOf(outsider.send(orderCalls.document, { id }))).toBe('NOT_FOUND');
});

test('the partner shows the repair in photos, which both sides see, also on paper', async () => {
  const picture = async (width: number) => {
    const bytes = await sharp({ create: { width, height: 900, channels: 3, background: '#334' } })
      .png()
      .toBuffer();
    const id = await makeFile(app, ofDesk, desk, bytes);
    await app.context.unscoped((db) =>
      db.updateTable('file_file').set({ kind: PICTURE, size: bytes.length }).where('id', '=', id).execute(),
    );
    return id;
  };
  const { id } = await makeOrder(ofBank, (await terminal(bank)).id, desk.id);
  const first = await picture(1600);
  expect(await faultOf(ofDesk.send(orderCalls.addPhotos, { id, photos: [first] }))).toBe('OVERTAKEN');
  await receiveOrder(ofDesk, id);
  expect(await faultOf(ofBank.send(orderCalls.addPhotos, { id, photos: [first] }))).toBe('NOT_FOUND');
  expect(await faultOf(ofDesk.send(orderCalls.addPhotos, { id, photos: [] }))).toBe('BAD_INPUT');
  const before = (await app.http.inject(asked(ofBank, id))).rawPayload;
  await ofDesk.call(orderCalls.addPhotos, { id, photos: [first] });
  expect(await ofBank.call(orderCalls.detail, { id })).toMatchObject({ photos: [first] });
  expect((await ofBank.call(fileCalls.getSecurityToken, { id: first })).token).not.toBe('');
  expect((await ofBank.call(orderCalls.entries, { id })).content[0]).toMatchObject({ event: 'photos', side: 'service' });
  const pictures = (bytes: Buffer) => bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0;
  const after = (await app.http.inject(asked(ofBank, id))).rawPayload;
  expect([pictures(before), pictures(after)]).toEqual([0, 1]);
  // At most nine of both together; what is no picture any more leaves its place to the others.
  const more = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((at) => picture(100 + at)));
  await ofDesk.call(orderCalls.addPhotos, { id, photos: more });
  expect(await faultOf(ofDesk.send(orderCalls.addPhotos, { id, photos: [await picture(300)] }))).toBe('ORDER_PHOTOS');
  const broken = await makeFile(app, ofDesk, desk);
  await app.context.unscoped(async (db) => {
    const { sha256 } = await db.selectFrom('file_file').select('sha256').where('id', '=', broken).executeTakeFirstOrThrow();
    await db.updateTable('file_file').set({ sha256 }).where('id', '=', first).execute();
  });
  const all = (await app.http.inject(asked(ofBank, id))).rawPayload;
  expect(pictures(all)).toBe(8);
  expect(all.length).toBeLessThan(3_000_000);
});

test('who asks for many documents at once waits for the own ones and keeps nobody else waiting', async () => {
  const { id: deviceId } = await terminal(bank);
  const { id } = await makeOrder(ofBank, deviceId, desk.id);
  const many = Array.from({ length: 12 }, () => app.http.inject(asked(ofBank, id)));
  const [other, ...own] = await Promise.all([app.http.inject(asked(ofDesk, id)), ...many]);
  expect(other.headers['content-type']).toBe('application/pdf');
  const drawn = own.filter((answer) => answer.headers['content-type'] === 'application/pdf');
  const sent = own.filter((answer) => answer.body.includes('TOO_MANY'));
  expect(drawn.length).toBeGreaterThan(0);
  expect(sent.length).toBeGreaterThan(0);
  expect(drawn.length + sent.length).toBe(12);
});

test('a note is for its own side alone, with its files', async () => {
  const { id: deviceId } = await terminal(branch);
  const { id } = await makeOrder(ofBranch, deviceId, bank.id);
  const fileId = await makeFile(app, ofBank, bank);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind: '8' }).where('id', '=', fileId).execute());
  await ofBank.call(orderCalls.say, { id, text: 'Third time this year', internal: true, files: [fileId] });
  const below = await makeFile(app, ofBranch, branch);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind: '8' }).where('id', '=', below).execute());
  await ofBranch.call(orderCalls.say, { id, text: 'Ask for a discount', internal: true, files: [below] });
  await ofBranch.call(orderCalls.say, { id, text: 'Hello' });
  const notes = async (who: Client) =>
    (await who.call(orderCalls.entries, { id })).content
      .filter(({ event }) => event === null)
      .map(({ text, internal }) => [text, internal]);
  expect(await notes(ofBank)).toEqual([
    ['Hello', false],
    ['Third time this year', true],
  ]);
  expect(await notes(ofBranch)).toEqual([
    ['Hello', false],
    ['Ask for a discount', true],
  ]);
  expect(await faultOf(ofBranch.send(fileCalls.getSecurityToken, { id: fileId }))).toBe('NOT_FOUND');
  // Who stands above the other side is the other side all the same.
  expect(await faultOf(ofBank.send(fileCalls.getSecurityToken, { id: below }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBank.send(orderCalls.say, { id, text: 'See this', files: [below] }))).toBe('NOT_FOUND');
  expect((await ofBranch.call(fileCalls.getSecurityToken, { id: below })).token).not.toBe('');
  const logged = await app.context.unscoped((db) =>
    db.selectFrom('audit_entry').select('input').where('call', '=', orderCalls.say.path).execute(),
  );
  expect(JSON.stringify(logged)).not.toMatch(/discount|Third time/);
  expect((await mailsOf(ofBranch)).some((title) => title.startsWith('Internal note'))).toBe(false);
});

test('who entered the costs never agrees to them; of its own terminals an organisation asks nobody', async () => {
  const above = await app.person('orgManager', { id: 2, path: '1.2.' }, 'manager');
  const { id: deviceId } = await terminal(bank);
  const { id } = await makeOrder(above, deviceId, desk.id);
  await receiveOrder(above, id);
  const costs = { id, diagnosis: 'Roller worn', labour: '10' };
  const { currency, allowedActions } = await above.call(orderCalls.quote, costs);
  expect(allowedActions).not.toContain('approveCosts');
  expect(await faultOf(above.send(orderCalls.approveCosts, { id, total: 1000, currency }))).toBe('ORDER_OWN_COSTS');
  expect(await ofBank.call(orderCalls.approveCosts, { id, total: 1000, currency })).toMatchObject({ costs: 'approved' });

  const own = await makeOrder(ofBank, (await terminal(bank)).id, bank.id);
  await receiveOrder(ofBank, own.id);
  expect(await ofBank.call(orderCalls.quote, { ...costs, id: own.id })).toMatchObject({ costs: 'none', labour: '10' });
});
