import { tokenCalls } from '@mooring/contract/account/token-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newestMail } from '../../../test/mails.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { publicOrigin } from '../../platform/config/public-origin.ts';
import type { DeptAt } from '../org/api.ts';
import { notify } from './api.ts';
import { DELIVER } from './notify.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let manager: Client;
let member: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  member = await app.person('orgMember', branch);
  outsider = await app.person('orgManager', await app.dept('Other bank'));
});
afterAll(() => app.stop());
beforeEach(() => app.context.unscoped(async (db) => void (await db.deleteFrom('message_message').execute())));

const unread = async (client: Client) => (await client.call(messageCalls.count)).unreadNum;
const list = async (client: Client) => (await client.call(messageCalls.page, {})).content;
const send = async (client: Client, input: object) => {
  const sent = await client.call(messageCalls.send, { title: 'Hello', text: 'World', ...input });
  await app.runJobs();
  return sent.id;
};

test('to everybody reaches the scope and nobody beside it', async () => {
  await send(manager, {});
  expect(await Promise.all([manager, member, outsider, admin].map(unread))).toEqual([1, 1, 0, 0]);
  expect((await list(member))[0]).toMatchObject({ title: 'Hello', text: 'World', type: '2', sender: 'Person 2', status: '0' });
});

test('to an organisation and to named people; those of others are not found', async () => {
  await send(manager, { recipients: 'organisation', deptIds: [branch.id] });
  expect(await Promise.all([manager, member].map(unread))).toEqual([0, 1]);
  await send(manager, { recipients: 'users', userIds: [manager.userId] });
  expect(await Promise.all([manager, member].map(unread))).toEqual([1, 1]);
  expect((await manager.send(messageCalls.send, { title: 'x', text: 'x', recipients: 'users', userIds: [outsider.userId] })).code).toBe(
    404,
  );
  expect((await manager.send(messageCalls.send, { title: 'x', text: 'x', recipients: 'users' })).body?.fields).toHaveProperty('userIds');
});

test('what comes with an API token is told apart as another system’s', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'Till', scopes: ['message:message:send'], days: 1 });
  const till = clientOf(app.http, token, manager.userId, 'centre', 0);
  await send(manager, { title: 'By hand' });
  await send(till, { title: 'By a till' });
  const types = (of: readonly { title: string; type: string }[]) => Object.fromEntries(of.map(({ title, type }) => [title, type]));
  expect(types(await list(member))).toEqual({ 'By hand': '2', 'By a till': '3' });
  expect((await member.call(messageCalls.page, { criteria: { type: '3' } })).content).toHaveLength(1);
  const sent = (await manager.call(messageCalls.sent, {})).content;
  expect(sent.map((one) => one.title).sort()).toEqual(['By a till', 'By hand']);
  for (const { id } of sent) expect((await manager.call(messageCalls.readers, { criteria: { messageId: id } })).total).toBe(2);
});

test('who may only read sends nothing', async () => {
  expect((await member.send(messageCalls.send, { title: 'x', text: 'x' })).code).toBe(403);
});

test('read and delete singly, all, all read, all unread; only one’s own', async () => {
  for (let n = 0; n < 4; n += 1) await send(manager, { title: `No ${n}` });
  const [first, second] = await list(member);
  await member.call(messageCalls.detail, { id: first?.id ?? 0 });
  expect(await unread(member)).toBe(3);
  expect((await outsider.send(messageCalls.detail, { id: second?.id })).code).toBe(404);
  expect(await outsider.call(messageCalls.delete, { ids: [second?.id ?? 0] })).toEqual({ changed: 0 });
  expect(await member.call(messageCalls.deleteMany, { which: 'read' })).toEqual({ changed: 1 });
  expect(await member.call(messageCalls.delete, { ids: [second?.id ?? 0] })).toEqual({ changed: 1 });
  expect(await member.call(messageCalls.readAll)).toEqual({ changed: 2 });
  expect(await member.call(messageCalls.deleteMany, { which: 'unread' })).toEqual({ changed: 0 });
  expect(await member.call(messageCalls.deleteMany, { which: 'all' })).toEqual({ changed: 2 });
  expect(await unread(manager)).toBe(4);
  expect((await manager.call(messageCalls.sent, {})).content[0]).toMatchObject({ people: 2, read: 1 });
});

test('a sent message can be read again, with who has read it; nobody else’s', async () => {
  const id = await send(manager, { text: 'Tonight at two.' });
  await member.call(messageCalls.readAll);
  expect((await manager.call(messageCalls.sent, {})).content[0]).toMatchObject({ id, text: 'Tonight at two.' });
  const of = { criteria: { messageId: id } };
  expect((await manager.call(messageCalls.readers, of)).content).toMatchObject([
    { account: 'person3', name: 'Person 3', deptName: 'Branch', status: '1', readAt: expect.anything() },
    { account: 'person2', name: 'Person 2', deptName: 'Bank', status: '0', readAt: null },
  ]);
  expect((await manager.call(messageCalls.readers, { criteria: { messageId: id, status: '0' } })).total).toBe(1);
  await member.call(messageCalls.deleteMany, { which: 'all' });
  expect((await manager.call(messageCalls.readers, of)).total).toBe(1);
  expect((await outsider.call(messageCalls.readers, of)).content).toEqual([]);
  expect((await member.send(messageCalls.readers, of)).code).toBe(403);
});

test('a popup shows once', async () => {
  await send(manager, { channels: ['popup'] });
  const { popups } = await member.call(messageCalls.count);
  expect(popups).toHaveLength(1);
  await member.call(messageCalls.popped, { ids: popups.map((one) => one.id) });
  expect((await member.call(messageCalls.count)).popups).toEqual([]);
});

test('a popup of high priority that somebody or another system sends stays until it is read; those of the installation show once', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'Gate', scopes: ['message:message:third'], days: 1 });
  const gate = clientOf(app.http, token, manager.userId, 'centre', 0);
  await gate.call(messageCalls.third, { title: 'Outage', text: 'The gateway is down.', priority: '1', channels: ['popup'] });
  await send(manager, { title: 'By hand', priority: '1', channels: ['popup'] });
  const to = { users: [member.userId] };
  await app.context.unscoped((db) =>
    notify(db, { name: 'trustEnded', params: { org: 'x' }, to, deptPath: branch.path, priority: '1', channels: ['popup'] }),
  );
  await app.runJobs();
  const popups = async () => (await member.call(messageCalls.count)).popups;
  const shown = await popups();
  expect(shown.map(({ sender, stays }) => [sender, stays])).toEqual([
    [null, false],
    ['Gate', true],
    ['Person 2', true],
  ]);
  await member.call(messageCalls.popped, { ids: shown.map(({ id }) => id) });
  expect((await popups()).map(({ title }) => title)).toEqual(['Outage', 'By hand']);
  await member.call(messageCalls.read, { ids: [shown[1]?.id ?? 0] });
  expect((await popups()).map(({ title }) => title)).toEqual(['By hand']);
});

test('a module says it in each reader’s language, to who may look at it; running twice hands out once', async () => {
  await app.context.unscoped((db) =>
    notify(db, {
      name: 'taskFinished',
      params: { task: 'Spring', succeeded: 3, failed: 0 },
      to: { above: bank.path, can: 'firmware:task:page' },
      deptPath: bank.path,
      channels: ['centre', 'email'],
    }),
  );
  await app.runJobs();
  await app.context.unscoped(async (db) => {
    const row = await db.selectFrom('message_message').select('id').executeTakeFirstOrThrow();
    await db.updateTable('message_message').set({ people: null }).execute();
    await app.context.enqueue(db, DELIVER, { id: row.id });
  });
  await app.runJobs();
  expect(await Promise.all([admin, manager, member, outsider].map(unread))).toEqual([1, 1, 0, 0]);
  expect((await list(manager))[0]).toMatchObject({
    title: 'Release “Spring” finished',
    text: '3 terminals were updated, none failed.',
  });
  const chinese = await manager.send(messageCalls.page, {}, { headers: { 'accept-language': 'zh-CN' } });
  expect(JSON.stringify(chinese.body)).toContain('任务“Spring”已完成');
  // By what it says to this reader, whose words stand in no row.
  const found = async (text: string, lang: string) =>
    (
      (await manager.send(messageCalls.page, { criteria: { text } }, { headers: { 'accept-language': lang } })).body as unknown as {
        content: object[];
      }
    ).content.length;
  expect(await Promise.all([found('were UPDATED', 'en'), found('已完成', 'zh-CN'), found('spring finished', 'en')])).toEqual([1, 1, 1]);
  expect(await Promise.all([found('halted', 'en'), found('已完成', 'en')])).toEqual([0, 0]);
  // Names of values, and how a choice is written, are nobody's words.
  expect(await Promise.all(['succeeded', 'plural', 'other', 'task'].map((text) => found(text, 'en')))).toEqual([0, 0, 0, 0]);
  await app.context.unscoped((db) =>
    notify(db, {
      name: 'jobFailed',
      params: { jobKey: 'job.name.mail.sweep', errorKey: 'job.interrupted' },
      to: { users: [manager.userId] },
      deptPath: bank.path,
    }),
  );
  await app.runJobs();
  expect(await Promise.all(['queued emails', 'server stopped', 'jobKey', 'sweep'].map((text) => found(text, 'en')))).toEqual([1, 1, 0, 0]);
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select(['recipient', 'subject']).where('template', '=', 'message').orderBy('recipient').execute(),
  );
  expect(mails.map((one) => one.recipient)).toEqual(['person1@example.com', 'person2@example.com']);
});

test('several at once are read or deleted, those that were chosen or all that match, of one’s own alone', async () => {
  for (const title of ['A', 'B', 'C']) await send(admin, { title, recipients: 'users', userIds: [manager.userId, member.userId] });
  const [first, second] = await list(manager);
  const theirs = (await list(member)).map(({ id }) => id);
  const read = (of: object, preview = false) => manager.call(messageCalls.readMany, { of: of as never, preview });
  expect(await read({ ids: [first?.id, ...theirs] }, true)).toMatchObject({ total: 1, done: 0 });
  expect(await unread(manager)).toBe(3);
  expect(await read({ ids: [first?.id, ...theirs] })).toMatchObject({ total: 1, done: 1 });
  expect(await read({ ids: [first?.id] })).toMatchObject({ total: 0, done: 0 });
  expect([await unread(manager), await unread(member)]).toEqual([2, 3]);
  expect(await read({ criteria: {}, except: [second?.id] })).toMatchObject({ total: 1, done: 1 });
  const gone = await manager.call(messageCalls.deleteChosen, { of: { criteria: { status: '1' }, except: [] } });
  expect(gone).toMatchObject({ total: 2, done: 2 });
  expect((await list(manager)).map(({ id }) => id)).toEqual([second?.id]);
  expect((await list(member)).length).toBe(3);
});

test('a mail leads to what it is about, and an address within its words leads nowhere', async () => {
  await app.context.unscoped((db) =>
    notify(db, {
      name: 'taskFinished',
      params: { task: 'Autumn', succeeded: 1, failed: 0 },
      to: { users: [manager.userId] },
      deptPath: bank.path,
      link: '/pos/firmware/7?tab=rings&a="b"',
      channels: ['email'],
    }),
  );
  await app.runJobs();
  const page = new URL('/pos/firmware/7?tab=rings&a="b"', publicOrigin(app.context.config)).href;
  expect((await newestMail(app, 'person2@example.com'))?.text).toContain(`none failed.\n\n${page}\n`);
  const htmlOf = async () =>
    (
      await app.context.unscoped((db) =>
        db
          .selectFrom('mail_message')
          .select('body_html')
          .where('recipient', '=', 'person2@example.com')
          .orderBy('id', 'desc')
          .executeTakeFirst(),
      )
    )?.body_html ?? '';
  expect(await htmlOf()).toContain(`<a href="${page.replaceAll('&', '&amp;')}"`);
  await send(admin, { recipients: 'users', userIds: [manager.userId], text: 'See\n\nhttps://elsewhere.example/', channels: ['email'] });
  expect(await htmlOf()).toContain('https://elsewhere.example/');
  expect(await htmlOf()).not.toContain('<a ');
});

test('what was sent is recalled: unread it vanishes, read it says so, and what is on its way comes to nobody', async () => {
  const id = await send(manager, { title: 'Wrong', text: 'Secret plan', channels: ['popup'], priority: '1' });
  const [had] = await list(manager);
  await manager.call(messageCalls.detail, { id: had?.id ?? 0 });
  expect((await member.send(messageCalls.recall, { id })).code).toBe(403);
  expect((await outsider.send(messageCalls.recall, { id })).code).toBe(404);
  expect(await manager.call(messageCalls.recall, { id })).toEqual({ unread: 1 });
  expect(await member.call(messageCalls.count)).toMatchObject({ unreadNum: 0, popups: [] });
  expect(await list(member)).toEqual([]);
  expect(await list(manager)).toMatchObject([
    { title: 'Wrong', text: 'This message was recalled by its sender.', recalledAt: expect.any(String) },
  ]);
  expect((await manager.call(messageCalls.page, { criteria: { text: 'Secret' } })).content).toEqual([]);
  const [sent] = (await manager.call(messageCalls.sent, {})).content;
  expect(sent).toMatchObject({ text: 'Secret plan', recalledAt: expect.any(String), allowedActions: [] });
  expect((await manager.send(messageCalls.recall, { id })).code).toBe(409);
  const { id: early } = await manager.call(messageCalls.send, { title: 'Early', text: 'x' });
  await manager.call(messageCalls.recall, { id: early });
  await app.runJobs();
  expect(await list(member)).toEqual([]);
});

test('another system recalls what it said itself, and nothing else', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'Desk', scopes: ['message:message:third'], days: 1 });
  const desk = clientOf(app.http, token, manager.userId, 'centre', 0);
  const { id } = await desk.call(messageCalls.third, { title: 'Ticket 12', text: 'x' });
  const byHand = await send(manager, {});
  expect((await desk.send(messageCalls.recall, { id: byHand })).code).toBe(404);
  expect(await desk.call(messageCalls.recall, { id })).toEqual({ unread: 2 });
  expect((await list(member)).map(({ title }) => title)).toEqual(['Hello']);
});
