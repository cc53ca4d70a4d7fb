import { tokenCalls } from '@mooring/contract/account/token-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { makeMessage } from './module.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let manager: Client;
let clerk: Client;
let member: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  manager = await app.person('orgManager', bank, 'manager');
  clerk = await app.person('orgMember', bank);
  member = await app.person('orgMember', branch);
  outsider = await app.person('orgManager', await app.dept('Other bank'), 'manager');
});
afterAll(() => app.stop());
beforeEach(() => app.context.unscoped(async (db) => void (await db.deleteFrom('message_notice').execute())));

const add = (input: object = {}) => manager.call(noticeCalls.add, { title: 'Works', body: 'From **two** on.', ...input });
const publish = async (input: object = {}) => {
  const { id } = await add(input);
  await manager.call(noticeCalls.publish, { id });
  await app.runJobs();
  return id;
};
const mine = async (client: Client) => (await client.call(noticeCalls.mine, {})).content;
const unread = async (client: Client) => (await client.call(messageCalls.count)).unreadNum;
const attach = async (client: Client, dept: DeptAt) => {
  const id = await makeFile(app, client, dept);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind: '8', name: 'plan.pdf' }).where('id', '=', id).execute());
  return id;
};
const scheduled = async (job: string) => {
  const found = makeMessage(app.context).jobs?.find(({ name }) => name === job);
  await found?.run({ ...app.context, now: () => app.clock.now } as never, {});
  await app.runJobs();
};
const clock = () => scheduled('message:notices');
const at = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString();

test('a notice reaches everybody of the scope, is counted, read, and recalled from everybody at once', async () => {
  const id = await publish();
  expect(await Promise.all([manager, clerk, member, outsider].map(unread))).toEqual([1, 1, 1, 0]);
  const [first] = await mine(member);
  expect(first).toMatchObject({ title: 'Works', text: 'From two on.', sender: 'Bank', status: '0', attachments: 0 });
  expect(await member.call(noticeCalls.own, { id: first?.id ?? 0 })).toMatchObject({ body: 'From **two** on.', files: [] });
  expect((await clerk.send(noticeCalls.own, { id: first?.id })).code).toBe(404);
  expect((await clerk.send(noticeCalls.read, { id: first?.id })).code).toBe(404);
  await member.call(noticeCalls.read, { id: first?.id ?? 0 });
  await member.call(noticeCalls.read, { id: first?.id ?? 0 });
  expect(await unread(member)).toBe(0);
  expect(await manager.call(noticeCalls.detail, { id })).toMatchObject({ people: 3, readCount: 1, state: 'published' });
  const of = { criteria: { noticeId: id } };
  expect((await manager.call(noticeCalls.readers, of)).content.map(({ status }) => status)).toEqual(['1', '0', '0']);
  expect((await outsider.call(noticeCalls.readers, of)).content).toEqual([]);
  expect((await outsider.send(noticeCalls.recall, { id })).code).toBe(404);
  await manager.call(noticeCalls.recall, { id });
  expect(await Promise.all([manager, clerk, member].map(async (one) => (await mine(one)).length))).toEqual([0, 0, 0]);
  expect(await unread(clerk)).toBe(0);
  expect((await member.send(noticeCalls.own, { id: first?.id })).code).toBe(404);
  expect(await manager.call(noticeCalls.detail, { id })).toMatchObject({ state: 'recalled', body: 'From **two** on.' });
  expect((await manager.send(noticeCalls.recall, { id })).code).toBe(409);
});

test('whoever hasn’t read it is reminded by popup and mail, once a day, and nobody else', async () => {
  const mails = () =>
    app.context.unscoped(
      async (db) => (await db.selectFrom('mail_message').select('id').where('template', '=', 'message').execute()).length,
    );
  const id = await publish({ channels: ['email'] });
  await app.context.unscoped((db) => db.updateTable('message_notice_delivery').set({ popup: false }).where('notice_id', '=', id).execute());
  const [first] = await mine(member);
  await member.call(noticeCalls.read, { id: first?.id ?? 0 });
  const before = await mails();
  expect((await outsider.send(noticeCalls.remind, { id })).code).toBe(404);
  expect((await clerk.send(noticeCalls.remind, { id })).code).toBe(403);
  const asked = await Promise.all([1, 2].map(() => manager.send(noticeCalls.remind, { id })));
  expect(asked.map(({ body }) => body?.fault).toSorted()).toEqual(['NOTICE_REMINDED', undefined]);
  await app.runJobs();
  await app.runJobs();
  const popups = async (client: Client) => (await client.call(messageCalls.count)).notices.length;
  expect(await Promise.all([manager, clerk, member].map(popups))).toEqual([1, 1, 0]);
  expect((await mails()) - before).toBe(2);
  expect((await manager.call(noticeCalls.detail, { id })).allowedActions).not.toContain('remind');
  app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
  expect((await manager.call(noticeCalls.detail, { id })).allowedActions).toContain('remind');
  for (const client of [manager, clerk]) await client.call(noticeCalls.readAll);
  expect((await manager.send(noticeCalls.remind, { id })).body).toMatchObject({ fault: 'NOTICE_ALL_READ' });
  await manager.call(noticeCalls.recall, { id });
  expect((await manager.send(noticeCalls.remind, { id })).body).toMatchObject({ fault: 'NOTICE_NOT_OUT' });
  await app.context.unscoped((db) => db.deleteFrom('mail_message').execute());
});

test('to organisations, roles and named people; what belongs to others isn’t found, and an audience without anybody is refused', async () => {
  await publish({ recipients: 'organisation', deptIds: [branch.id] });
  expect(await Promise.all([manager, clerk, member].map(unread))).toEqual([0, 0, 1]);
  await publish({ recipients: 'users', userIds: [clerk.userId] });
  expect(await Promise.all([manager, clerk, member].map(unread))).toEqual([0, 1, 1]);
  const role = await app.context.unscoped((db) =>
    db.selectFrom('access_role').select('id').where('code', '=', 'orgMember').executeTakeFirstOrThrow(),
  );
  await publish({ recipients: 'roles', roleIds: [role.id] });
  expect(await Promise.all([manager, clerk, member, outsider].map(unread))).toEqual([0, 2, 2, 0]);
  const bad = { title: 'x', body: 'x' };
  const foreign = await manager.send(noticeCalls.add, { ...bad, recipients: 'users', userIds: [clerk.userId, outsider.userId] });
  expect([foreign.code, Object.keys(foreign.body?.fields ?? {})]).toEqual([404, ['userIds']]);
  expect((await manager.send(noticeCalls.add, { ...bad, recipients: 'roles' })).body?.fields).toHaveProperty('roleIds');
});

test('one that is scheduled comes at its time and goes at its end', async () => {
  const { id } = await add({ startsAt: at(10), endsAt: at(20) });
  expect((await manager.send(noticeCalls.add, { title: 'x', body: 'x', startsAt: at(10), endsAt: at(5) })).body?.fields).toHaveProperty(
    'endsAt',
  );
  await manager.call(noticeCalls.schedule, { id });
  expect((await manager.send(noticeCalls.update, { id, title: 'x', body: 'x' })).body).toMatchObject({ fault: 'NOTICE_FIXED' });
  await clock();
  expect(await mine(member)).toEqual([]);
  app.clock.now = new Date(at(11));
  await clock();
  await clock();
  expect(await mine(member)).toHaveLength(1);
  app.clock.now = new Date(at(10));
  expect(await mine(member)).toEqual([]);
  await clock();
  expect(await manager.call(noticeCalls.detail, { id })).toMatchObject({ state: 'ended', people: 3 });
});

test('a schedule is taken back, and needs a time to come', async () => {
  const { id } = await add({ startsAt: at(10) });
  await manager.call(noticeCalls.schedule, { id });
  await manager.call(noticeCalls.cancel, { id });
  await manager.call(noticeCalls.update, { id, title: 'Works', body: 'Now', startsAt: at(-1) });
  const refused = await manager.send(noticeCalls.schedule, { id });
  expect(refused.body).toMatchObject({ fault: 'NOTICE_NO_TIME' });
  expect((await manager.call(noticeCalls.detail, { id })).allowedActions).not.toContain('schedule');
});

test('what was edited since it was read isn’t published by mistake', async () => {
  const draft = await manager.call(noticeCalls.add, { title: 'Opening hours', body: 'Nine to five' });
  const { id, revision } = draft;
  await manager.call(noticeCalls.update, { id, revision, title: 'Opening hours', body: 'Closed' });
  expect((await manager.send(noticeCalls.publish, { id, revision })).code).toBe(409);
  expect((await manager.call(noticeCalls.detail, { id })).state).toBe('draft');
  expect(await manager.call(noticeCalls.publish, { id, revision: revision + 1 })).toMatchObject({ state: 'published' });
});

test('two who publish at once announce it once', async () => {
  const { id } = await add();
  const codes = (await Promise.all([1, 2, 3].map(() => manager.send(noticeCalls.publish, { id })))).map(({ code }) => code);
  expect(codes.sort()).toEqual([200, 409, 409]);
  await app.runJobs();
  expect(await unread(member)).toBe(1);
});

test('an attachment is opened by whom the notice is addressed to, as long as they have it, and by nobody else', async () => {
  const fileId = await attach(manager, bank);
  const id = await publish({ files: [fileId], recipients: 'users', userIds: [member.userId] });
  const [row] = await mine(member);
  const opened = await member.call(noticeCalls.attachment, { id: row?.id ?? 0, fileId });
  expect((await app.http.inject({ method: 'GET', url: `/ops${opened.url}` })).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''plan.pdf",
  });
  expect((await clerk.send(noticeCalls.attachment, { id: row?.id, fileId })).code).toBe(404);
  expect((await clerk.send(fileCalls.getSecurityToken, { id: fileId })).code).toBe(404);
  expect((await outsider.send(fileCalls.getSecurityToken, { id: fileId })).code).toBe(404);
  const other = await attach(manager, bank);
  expect((await member.send(noticeCalls.attachment, { id: row?.id, fileId: other })).code).toBe(404);
  await manager.call(noticeCalls.recall, { id });
  expect((await member.send(noticeCalls.attachment, { id: row?.id, fileId })).code).toBe(404);
  const foreign = await attach(outsider, bank);
  expect((await manager.send(noticeCalls.add, { title: 'x', body: 'x', files: [foreign] })).code).toBe(404);
  const firmware = await makeFile(app, manager, bank);
  expect((await manager.send(noticeCalls.add, { title: 'x', body: 'x', files: [firmware] })).body).toMatchObject({
    fault: 'FILE_KIND_REFUSED',
  });
});

test.each(['[x](javascript:alert(1))', '![x](https://tracker.example/a.png)', '![x](file:1)', '[x](data:text/html,a)', '[x](/sys/logout)'])(
  'a text with %s is refused at its field',
  async (body) => {
    expect((await manager.send(noticeCalls.add, { title: 'x', body })).body).toMatchObject({ fields: { body: expect.anything() } });
  },
);

test('a popup of high priority comes again until it is read; others once', async () => {
  await publish({ channels: ['popup'], priority: '1' });
  await publish({ channels: ['popup'] });
  const { notices } = await member.call(messageCalls.count);
  expect(notices.map(({ priority }) => priority)).toEqual(['1', '2']);
  await member.call(messageCalls.poppedNotices, { ids: notices.map(({ id }) => id) });
  expect((await member.call(messageCalls.count)).notices.map(({ priority }) => priority)).toEqual(['1']);
  await member.call(noticeCalls.readAll);
  expect((await member.call(messageCalls.count)).notices).toEqual([]);
});

test('by mail its words go, without marks', async () => {
  await publish({ channels: ['email'], recipients: 'users', userIds: [member.userId] });
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select('recipient').where('template', '=', 'message').where('user_id', '=', member.userId).execute(),
  );
  expect(mails).toHaveLength(1);
});

test('who only reads makes none; who is deleted from the record is counted no more', async () => {
  expect((await member.send(noticeCalls.page, {})).code).toBe(403);
  const id = await publish();
  expect((await manager.send(noticeCalls.delete, { id })).body).toMatchObject({ fault: 'NOTICE_FIXED' });
  await manager.call(noticeCalls.recall, { id });
  await manager.call(noticeCalls.delete, { id });
  expect((await manager.send(noticeCalls.detail, { id })).code).toBe(404);
});

test('what is over is put away: no bell goes through it, its record stays for a year, and then it goes with its files', async () => {
  const file = await attach(manager, bank);
  const [recalled, ended] = [await publish({ files: [file] }), await publish({ endsAt: at(60), channels: ['popup'] })];
  const [first] = await mine(member);
  await member.call(noticeCalls.read, { id: first?.id ?? 0 });
  await manager.call(noticeCalls.recall, { id: recalled });
  const live = await publish();
  app.clock.now = new Date(at(61));
  await clock();
  const left = () =>
    app.context.unscoped((db) =>
      db
        .selectFrom('message_notice_delivery')
        .select(['notice_id', 'over', 'popup'])
        .where('user_id', '=', member.userId)
        .orderBy('notice_id')
        .execute(),
    );
  expect(await left()).toEqual([
    { notice_id: recalled, over: true, popup: false },
    { notice_id: ended, over: true, popup: false },
    { notice_id: live, over: false, popup: false },
  ]);
  expect(await unread(member)).toBe(1);
  const readers = (await manager.call(noticeCalls.readers, { criteria: { noticeId: ended } })).content;
  expect(readers.map(({ status }) => status).toSorted()).toEqual(['0', '0', '1']);
  const forget = () => {
    const found = makeMessage(app.context).jobs?.find(({ name }) => name === 'message:forgetNotices');
    return found?.run({ ...app.context, now: () => app.clock.now } as never, {});
  };
  app.clock.now = new Date(at(364 * 24 * 60));
  await forget();
  expect(await left()).toHaveLength(3);
  app.clock.now = new Date(at(2 * 24 * 60));
  await forget();
  expect((await left()).map((one) => one.notice_id)).toEqual([live]);
  const hanging = await app.context.unscoped((db) =>
    db.selectFrom('message_notice_file').select('file_id').where('file_id', '=', file).execute(),
  );
  expect(hanging).toEqual([]);
});

test('own notices and messages are exported, one’s own alone', async () => {
  await publish({ title: 'For all' });
  await publish({ title: 'For the manager', recipients: 'users', userIds: [manager.userId] });
  const columns = ['title', 'priority', 'status', 'sender'];
  const of = async (call: typeof noticeCalls.exportMine | typeof messageCalls.export) => {
    const { work } = await member.call(call, { criteria: {}, format: 'csv', columns });
    await app.runJobs();
    const row = await app.context.unscoped((db) =>
      db.selectFrom('work').select(['state', 'done']).where('id', '=', work).executeTakeFirstOrThrow(),
    );
    return [row.state, row.done];
  };
  const { content } = await member.call(messageCalls.page, {});
  expect(await of(noticeCalls.exportMine)).toEqual(['done', 1]);
  expect(await of(messageCalls.export)).toEqual(['done', content.length]);
});

test('another system tells people something in its own name', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'Tickets', scopes: ['message:manager:third'], days: 1 });
  const system = clientOf(app.http, token, manager.userId, 'manager', bank.id);
  const say = { title: 'Ticket 12', text: 'Answered', system: 'Tickets' };
  await system.call(messageCalls.third, { ...say, accounts: ['person3'] });
  await app.runJobs();
  const [got] = (await member.call(messageCalls.page, {})).content;
  expect(got).toMatchObject({ title: 'Ticket 12', sender: 'Tickets', type: '3' });
  const refused = await system.send(messageCalls.third, { ...say, accounts: ['person3', 'nobody', 'person4'] });
  expect(refused.body).toMatchObject({ fault: 'ACCOUNT_UNKNOWN', fields: { accounts: expect.anything() } });
  expect((await system.send(messageCalls.send, { title: 'x', text: 'x' })).code).toBe(403);
  expect((await member.send(messageCalls.third, say)).code).toBe(403);
});

test('it speaks in no other name, and no person speaks in any', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'Tickets', scopes: ['message:manager:third'], days: 1 });
  const system = clientOf(app.http, token, manager.userId, 'manager', bank.id);
  const say = { title: 'Ticket 13', text: 'Answered', accounts: ['person3'] };
  expect((await system.send(messageCalls.third, { ...say, system: 'Security team' })).body).toMatchObject({
    fault: 'TOKEN_NAME',
    fields: { system: expect.anything() },
  });
  expect((await manager.send(messageCalls.third, { ...say, system: 'Security team' })).body).toMatchObject({ fault: 'TOKEN_ONLY' });
  await system.call(messageCalls.third, say);
  await app.runJobs();
  expect((await member.call(messageCalls.page, {})).content[0]).toMatchObject({ title: 'Ticket 13', sender: 'Tickets' });
  // Whom it would leave out isn't left out in silence.
  expect((await system.send(messageCalls.third, { ...say, deptIds: [bank.id] })).body).toMatchObject({
    fault: 'BAD_INPUT',
    fields: { deptIds: expect.anything() },
  });
});

test('its author is told how many it goes to; whoever joins, moves here or is given the role later has it within the hour, once', async () => {
  const shop = await app.dept('Shop', branch);
  const [first, moved] = [await app.person('orgMember', shop), await app.person('orgMember', bank)];
  const { id } = await add({ recipients: 'organisation', deptIds: [shop.id], channels: ['popup', 'email'] });
  expect(await manager.call(noticeCalls.reach, { id })).toEqual({ people: 1 });
  expect((await outsider.send(noticeCalls.reach, { id })).code).toBe(404);
  await manager.call(noticeCalls.publish, { id });
  await app.runJobs();
  const ended = await publish({ recipients: 'organisation', deptIds: [shop.id], endsAt: at(30) });
  app.clock.now = new Date(app.clock.now.getTime() + 60 * 60_000);
  await clock();
  expect(await manager.call(noticeCalls.detail, { id: ended })).toMatchObject({ state: 'ended', people: 1 });
  const joined = await app.person('orgMember', shop);
  await app.context.unscoped((db) =>
    db.updateTable('account_user').set({ dept_id: shop.id, dept_path: shop.path }).where('id', '=', moved.userId).execute(),
  );
  const mails = () => app.context.unscoped(async (db) => (await db.selectFrom('mail_message').select('id').execute()).length);
  const before = await mails();
  for (let run = 0; run < 2; run += 1) await scheduled('message:joiners');
  expect(await Promise.all([first, joined, moved, manager].map(async (one) => (await mine(one)).length))).toEqual([1, 1, 1, 0]);
  expect(await manager.call(noticeCalls.detail, { id })).toMatchObject({ people: 3, readCount: 0 });
  expect(await manager.call(noticeCalls.detail, { id: ended })).toMatchObject({ people: 1 });
  expect(await mails()).toBe(before);
  await manager.call(noticeCalls.recall, { id });
  await app.person('orgMember', shop);
  await scheduled('message:joiners');
  expect(await manager.call(noticeCalls.detail, { id })).toMatchObject({ state: 'recalled', people: 3 });
});
