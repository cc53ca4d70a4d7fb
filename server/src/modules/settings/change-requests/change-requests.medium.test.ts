import { policyCalls } from '@mooring/contract/account/policy-calls';
import { loginPresets, passwordPresets } from '@mooring/contract/auth/policy';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { messageCalls } from '@mooring/contract/message/calls';
import { productLineCalls } from '@mooring/contract/org/unit-calls';
import { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealFor } from '../../../../test/seal.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../../test/test-app.ts';
import { EXPIRE_CHANGES } from './expire.ts';

const DAY = 86_400_000;
const LINE = 2;
let app: TestApp;
let author: Client;
let second: Client;
let third: Client;
let nobody: Client;

beforeAll(async () => {
  app = await testApp();
  author = await app.person('platformAdmin', app.root, 'manager');
  second = await app.person('platformAdmin', app.root, 'manager');
  third = await app.person('platformAdmin', app.root, 'manager');
  nobody = clientOf(app.http, '', 0, 'manager', 0);
});
afterAll(() => app.stop());

const write = (statement: string) => app.context.unscoped((db) => sql.raw(statement).execute(db));
beforeEach(async () => {
  for (const table of ['settings_change_request', 'settings_value']) await write(`delete from ${table}`);
  await write("update account_user set state = '0'");
  await author.call(systemSettingCalls.dualControl, { enabled: true });
});

const waiting = async (client: Client = second) => (await client.call(changeRequestCalls.page, {})).content;
const stands = (client: Client, type: 'registration' | 'mail' | 'dualControl') =>
  client.call(systemSettingCalls.findByCriteria, { criteria: { type } }).then(([one]) => one?.value);
const change = async (as: Client = author) =>
  (await as.call(systemSettingCalls.registration, { open: true, oneDeptId: null }))?.changeRequestId ?? 0;
const faultOf = async (sent: ReturnType<Client['send']>) => (await sent).body?.fault;

interface Case {
  readonly call: Call;
  readonly input: object;
  /** What is in effect. */
  readonly read: () => Promise<unknown>;
}
const setting = (type: keyof typeof systemSettingCalls, input: object): Case => ({
  call: systemSettingCalls[type],
  input,
  read: () => author.call(systemSettingCalls.findByCriteria, { criteria: { type: type as 'mail' } }).then(([one]) => one?.value),
});
const cases: readonly Case[] = [
  setting('mail', { host: '', port: 2525, security: 'tls', user: 'u', fromAddress: '', fromName: 'Desk' }),
  setting('sms', { url: 'https://93.184.216.34/sms' }),
  setting('outbound', { allowed: ['10.1.0.0/16'] }),
  setting('singleSignOn', { enabled: false, name: 'Staff', issuer: '', clientId: 'x' }),
  setting('registration', { open: true, oneDeptId: null }),
  setting('unauthenticated', { withheld: ['device:device:page'] }),
  setting('dualControl', { enabled: false }),
  setting('syslog', { enabled: false, host: '', port: 6514, security: 'tls', ca: '', facility: 4, what: 'all' }),
  setting('retention', { changesMonths: 24, eventsMonths: 12, alarmsMonths: 12, auditMonths: 6, exportDays: 7 }),
  {
    call: policyCalls.loginEdit,
    input: { productLineId: LINE, policy: { ...loginPresets.spec, preset: 'custom', maxTries: 7 } },
    read: () => author.call(policyCalls.loginDetail, { productLineId: LINE }),
  },
  {
    call: policyCalls.pwdEdit,
    input: { productLineId: LINE, policy: { ...passwordPresets.spec, preset: 'custom', passwordMinLength: 9 } },
    read: () => author.call(policyCalls.pwdDetail, { productLineId: LINE }),
  },
];

// Those of keys have a test of their own, beside them.
test('every call of settings under dual control stands below', () => {
  expect(cases.map((one) => one.call.path).sort()).toEqual(
    allCalls
      .filter((call) => call.dual && call.domain !== 'signing')
      .map((call) => call.path)
      .sort(),
  );
});

describe.each(cases.map((one) => [one.call.path, one] as const))('%s', (_path, { call, input, read }) => {
  test('waits for a second person, who puts it into effect', async () => {
    const before = await read();
    const answer = (await author.call(call as never, input as never)) as { changeRequestId: number };
    expect(answer).toEqual({ changeRequestId: expect.any(Number) });
    expect(await read()).toEqual(before);
    const [own] = await waiting(author);
    expect([own?.allowedActions, own?.changes.length]).toEqual([['withdraw'], expect.any(Number)]);
    expect(own?.changes.length).toBeGreaterThan(0);
    expect(await faultOf(author.send(changeRequestCalls.approve, { id: answer.changeRequestId }))).toBe('CHANGE_OWN');
    expect(await read()).toEqual(before);
    const done = await second.call(changeRequestCalls.approve, { id: answer.changeRequestId });
    expect([done.state, done.allowedActions]).toEqual(['approved', []]);
    expect(await read()).not.toEqual(before);
    const { rows } = await app.context.unscoped((db) =>
      sql<{ n: number }>`select count(input_sealed)::int as n from settings_change_request`.execute(db),
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

test('it is switched on at once, but not by somebody who would be alone with it', async () => {
  await write('delete from settings_value');
  await write(`update account_user set state = '1' where id in (${second.userId}, ${third.userId})`);
  expect(await faultOf(author.send(systemSettingCalls.dualControl, { enabled: true }))).toBe('DUAL_NOBODY');
  expect(await stands(author, 'dualControl')).toEqual({ enabled: false });
  await write(`update account_user set state = '0'`);
  expect(await author.call(systemSettingCalls.dualControl, { enabled: true })).toBeNull();
  await write(`update account_user set state = '1' where id in (${second.userId}, ${third.userId})`);
  expect(await faultOf(author.send(systemSettingCalls.registration, { open: true, oneDeptId: null }))).toBe('DUAL_NOBODY');
  expect(await waiting(author)).toEqual([]);
});

test('a refusal gives its reason and changes nothing; it cannot be approved after that, nor without a reason', async () => {
  const id = await change();
  const before = await stands(author, 'registration');
  expect((await second.send(changeRequestCalls.refuse, { id, remark: ' ' })).code).toBe(400);
  expect(await faultOf(author.send(changeRequestCalls.refuse, { id, remark: 'no' }))).toBe('CHANGE_OWN');
  const refused = await second.call(changeRequestCalls.refuse, { id, remark: 'The campaign still runs' });
  expect(refused).toMatchObject({ state: 'refused', remark: 'The campaign still runs', allowedActions: [] });
  expect(await faultOf(third.send(changeRequestCalls.approve, { id }))).toBe('OVERTAKEN');
  expect(await stands(author, 'registration')).toEqual(before);
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ text_key: string }>`select text_key from message_message where text_key like 'change%' order by id desc limit 1`.execute(db),
  );
  expect(rows).toEqual([{ text_key: 'changeRefused' }]);
});

test('its author takes it back, nobody else; sent again, by whomever, it replaces the earlier one', async () => {
  const first = await change();
  expect((await second.send(changeRequestCalls.withdraw, { id: first })).code).toBe(403);
  const later = await change();
  expect((await waiting()).map((one) => [one.id, one.state])).toEqual([
    [later, 'waiting'],
    [first, 'withdrawn'],
  ]);
  // Nobody decided on what its author replaced.
  expect((await waiting())[1]?.decidedBy).toBeNull();
  const others = await change(third);
  const rows = await waiting();
  expect(rows.map((one) => [one.id, one.state])).toEqual([
    [others, 'waiting'],
    [later, 'withdrawn'],
    [first, 'withdrawn'],
  ]);
  expect(rows[1]?.decidedBy).toBe(rows[0]?.author);
  expect(await faultOf(author.send(changeRequestCalls.withdraw, { id: later }))).toBe('OVERTAKEN');
  expect(await faultOf(second.send(changeRequestCalls.approve, { id: later }))).toBe('OVERTAKEN');
  expect((await second.send(changeRequestCalls.approve, { id: 999_999 })).code).toBe(404);
});

test('nobody keeps an unread message of a request that is over, nor gets one that was still on its way', async () => {
  const unread = async (client: Client) => {
    await app.runJobs();
    const { content } = await client.call(messageCalls.page, { criteria: { status: '0' } });
    return content.map((one) => one.title);
  };
  await app.runJobs();
  for (const one of [author, second, third]) await one.call(messageCalls.readAll);
  await change();
  expect(await unread(second)).toEqual(['A change needs your approval']);
  await change();
  expect(await unread(second)).toEqual(['A change needs your approval']);
  await change(third);
  expect(await unread(author)).toEqual(['A change needs your approval', 'Your change was replaced']);
  const [open] = await waiting();
  await second.call(changeRequestCalls.refuse, { id: open?.id ?? 0, remark: 'Not now' });
  for (const one of [second, third]) expect(await unread(one)).not.toContain('A change needs your approval');
  const [told] = (await third.call(messageCalls.page, { criteria: { status: '0' } })).content;
  expect(told?.text).toContain('rejected your change of “Registration”: Not now');
  const quick = await change();
  await author.call(changeRequestCalls.withdraw, { id: quick });
  expect(await unread(second)).toEqual([]);
});

test('nobody approves over a change that came after the request, and of two who approve at once one does', async () => {
  await second.call(changeRequestCalls.approve, { id: await change() });
  const late = await change(third);
  await write("delete from settings_value where type = 'registration'");
  expect(await faultOf(second.send(changeRequestCalls.approve, { id: late }))).toBe('CHANGE_OUTDATED');
  await second.call(changeRequestCalls.refuse, { id: late, remark: 'Done already' });
  await change(third).then((id) => second.call(changeRequestCalls.approve, { id }));
  const open = (await author.call(systemSettingCalls.registration, { open: false, oneDeptId: null }))?.changeRequestId ?? 0;
  const both = await Promise.all([second, third].map((one) => one.send(changeRequestCalls.approve, { id: open })));
  expect(both.map((one) => one.code).sort()).toEqual([200, 409]);
  expect(both.map((one) => one.body?.fault).filter(Boolean)).toEqual(['OVERTAKEN']);
});

test('a form that was filled before somebody else’s save is refused when it is sent, and when it is approved', async () => {
  const seen = new Date(0).toISOString();
  expect(await faultOf(author.send(systemSettingCalls.registration, { open: true, oneDeptId: null, seen }))).toBe('OVERTAKEN');
  const id = (await author.call(systemSettingCalls.registration, { open: true, oneDeptId: null, seen: null }))?.changeRequestId ?? 0;
  await write(`insert into settings_value (type, value, updated_at) values ('registration', '{"open": false}', now())`);
  expect(await faultOf(second.send(changeRequestCalls.approve, { id }))).toBe('CHANGE_OUTDATED');
});

test('an author who may no longer make the change is not helped by an approval', async () => {
  const id = await change();
  await write(`update account_user set state = '1' where id = ${author.userId}`);
  expect(await faultOf(second.send(changeRequestCalls.approve, { id }))).toBe('CHANGE_AUTHOR');
  await write(`update account_user set state = '0'`);
  expect((await second.call(changeRequestCalls.approve, { id })).state).toBe('approved');
});

test('it expires after a week, is told to its author and can neither be approved nor refused', async () => {
  const id = await change();
  const started = app.clock.now;
  app.clock.now = new Date(started.getTime() + 7 * DAY);
  try {
    const [row] = await app.context.unscoped((db) => db.selectFrom('settings_change_request').select('expires_at').execute());
    expect(row?.expires_at.getTime()).toBe(app.clock.now.getTime());
    await app.context.unscoped((db) => app.context.enqueue(db, EXPIRE_CHANGES, {}));
    await app.runJobs();
    const { rows } = await app.context.unscoped((db) =>
      sql<{ state: string; kept: boolean }>`select state, input_sealed is not null as kept from settings_change_request`.execute(db),
    );
    expect(rows).toEqual([{ state: 'expired', kept: false }]);
    const told = await app.context.unscoped((db) =>
      db.selectFrom('message_message').select(['params', 'target']).where('text_key', '=', 'changeExpired').execute(),
    );
    expect(told).toEqual([{ params: { settingKey: 'change.target.registration' }, target: { users: [author.userId] } }]);
  } finally {
    app.clock.now = started;
  }
  expect(await faultOf(second.send(changeRequestCalls.approve, { id }))).toBe('OVERTAKEN');
});

test('a secret waits sealed: neither list, log nor database show it, and the approval sets it', async () => {
  const secret = 'Sm7p-Secret';
  const input = { host: '', port: 587, security: 'starttls', user: 'u', fromAddress: '', fromName: '' } as const;
  const password = (await sealFor(nobody, 'setting', secret)) as never;
  const id = (await author.call(systemSettingCalls.mail, { ...input, password }))?.changeRequestId ?? 0;
  const [row] = await waiting();
  expect(row?.changes).toContainEqual({ field: 'password', before: null, after: null, secret: true });
  const dump = await app.context.unscoped(async (db) => [
    await db.selectFrom('settings_change_request').selectAll().execute(),
    await db.selectFrom('audit_entry').selectAll().execute(),
    await db.selectFrom('message_message').selectAll().execute(),
  ]);
  const inBytes = dump[0]?.some((one) => 'input_sealed' in one && one.input_sealed?.includes(secret));
  expect([JSON.stringify([row, dump]).includes(secret), inBytes]).toEqual([false, false]);
  await second.call(changeRequestCalls.approve, { id });
  const [mail] = await author.call(systemSettingCalls.findByCriteria, { criteria: { type: 'mail' } });
  expect(mail).toMatchObject({ value: { user: 'u' }, secrets: ['password'] });
});

test('whoever may not make the change neither approves nor refuses it, and sees it only where they see settings', async () => {
  const lineAdmin = await app.person('productLineAdmin', { id: LINE, path: '1.2.' }, 'manager');
  const member = await app.person('orgManager', await app.dept('Bank'), 'manager');
  const ofLine = await app.person('platformAdmin', { id: LINE, path: '1.2.' }, 'manager');
  const id = (await author.call(systemSettingCalls.sms, { url: 'https://93.184.216.34/sms' }))?.changeRequestId ?? 0;
  expect((await waiting(ofLine))[0]?.allowedActions).toEqual([]);
  for (const one of [lineAdmin, member, ofLine]) {
    expect((await one.send(changeRequestCalls.approve, { id })).code).toBe(403);
    expect((await one.send(changeRequestCalls.refuse, { id, remark: 'no' })).code).toBe(403);
  }
  expect((await member.send(changeRequestCalls.page, {})).code).toBe(403);

  expect((await waiting()).map((one) => one.state)).toEqual(['waiting']);
});

test('a policy of another product line is neither seen nor decided from this one', async () => {
  const { id: other } = await author.call(productLineCalls.add, { name: 'Meters' });
  const policy = { ...loginPresets.spec, preset: 'custom', maxTries: 7 } as const;
  const held = async (productLineId: number) => (await author.call(policyCalls.loginEdit, { productLineId, policy }))?.changeRequestId ?? 0;
  const [here, there] = [await held(LINE), await held(other)];
  const lineAdmin = await app.person('platformAdmin', { id: LINE, path: '1.2.' }, 'manager');
  expect((await waiting(lineAdmin)).map((one) => one.id)).toEqual([here]);
  expect((await lineAdmin.send(changeRequestCalls.approve, { id: there })).code).toBe(404);
  expect((await lineAdmin.call(changeRequestCalls.approve, { id: here })).state).toBe('approved');
});
