import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { appCallbackCalls } from '@mooring/contract/app/callback';
import { developerCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAppRow, makeDeveloper } from '../../../../test/apps.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { type HttpsReceiver, httpsReceiver } from '../../customer/receivers.factory.ts';
import type { DeptAt } from '../../org/api.ts';
import { deliverDue } from '../../settings/api.ts';

/** What the owner of an app may count on: while it is suspended nothing goes out, and it hears of what others do to its call-back. */
let app: TestApp;
const depts = {} as Record<'group' | 'maker' | 'team' | 'bank', DeptAt>;
let group: Client;
let owner: Client;
let taker: Client;
let developer = 0;
const usual = getCACertificates('default');
let system: HttpsReceiver;
let url: string;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  depts.group = await app.dept('Group');
  depts.maker = await app.dept('App maker', depts.group);
  depts.team = await app.dept('Team of the maker', depts.maker);
  depts.bank = await app.dept('Bank');
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { allowed: [], callbacks: ['127.0.0.0/8'] });
  group = await app.person('platformAdmin', depts.group);
  owner = await app.person('platformAdmin', depts.maker);
  taker = await app.person('platformAdmin', depts.bank);
  developer = await makeDeveloper(app, depts.maker);
  system = await httpsReceiver();
  setDefaultCACertificates([...usual, system.ca]);
  url = `${system.url}/hook`;
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await system.stop();
  await app.stop();
});
beforeEach(() => {
  system.got.length = 0;
});

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
let count = 0;
/** In the catalogue, free for all. */
async function listed(by = depts.maker): Promise<number> {
  count += 1;
  const made = await makeAppRow(app, by, `Till ${count}`, { review_state: '2', publish_state: '1', market_id: app.root.id });
  await run(sql`update app_app set subscription = 'free' where id = ${made.app}`);
  return made.app;
}
const sent = async (appId: number) => {
  const row = await group.call(appCallbackCalls.detail, { appId });
  const { content } = await group.call(appCallbackCalls.deliveries, { criteria: { webhookId: row?.id ?? 0 }, page: { size: 50 } });
  return content.map(({ event, state }) => `${event} ${state}`).toReversed();
};

test('while its developer is suspended nothing goes out or is added; what waits goes out once it is resumed', async () => {
  const appId = await listed();
  const { row } = await owner.call(appCallbackCalls.set, { appId, url });
  expect(row).toMatchObject({ suspended: false, allowedActions: expect.arrayContaining(['test']) });
  const { id } = await taker.call(appSubscriptionCalls.add, { appId });
  await group.call(developerCalls.suspend, { id: developer, reason: 'Looked into' });
  expect(await deliverDue(app.context)).toBe(0);
  await taker.call(appSubscriptionCalls.end, { id });
  expect(await sent(appId)).toEqual(['appSubscription.created waiting']);
  const { allowedActions } = (await owner.call(appCallbackCalls.detail, { appId })) ?? {};
  expect(allowedActions).toEqual(['set', 'newSecret', 'delete']);
  expect(await owner.call(appCallbackCalls.detail, { appId })).toMatchObject({ suspended: true });
  expect((await owner.send(appCallbackCalls.test, { appId })).body).toMatchObject({ fault: 'APP_NOT_DEVELOPER' });
  await group.call(developerCalls.resume, { id: developer });
  expect(await owner.call(appCallbackCalls.detail, { appId })).toMatchObject({ suspended: false });
  expect(await deliverDue(app.context)).toBe(1);
  await taker.call(appSubscriptionCalls.add, { appId });
  expect(await sent(appId)).toEqual(['appSubscription.created done', 'appSubscription.created waiting']);
});

test('apps of whoever is no developer, or of another one, go on', async () => {
  await group.call(developerCalls.suspend, { id: developer, reason: 'Looked into' });
  const appId = await listed(depts.group);
  await group.call(appCallbackCalls.set, { appId, url });
  await taker.call(appSubscriptionCalls.add, { appId });
  await deliverDue(app.context);
  expect(await sent(appId)).toEqual(['appSubscription.created done']);
  await group.call(developerCalls.resume, { id: developer });
});

test('whoever may change it hears what people of another organisation do to it, and the log names it', async () => {
  const [decides, looks, below] = [
    await app.person('platformAdmin', depts.maker),
    await app.person('orgMember', depts.maker),
    await app.person('platformAdmin', depts.team),
  ];
  const appId = await listed();
  await owner.call(appCallbackCalls.set, { appId, url });
  await owner.call(appCallbackCalls.newSecret, { appId });
  const told = async () => {
    await app.runJobs();
    return run(
      sql<{ name: string; host: string; link: string; people: number[] }>`
        select m.text_key as name, m.params ->> 'host' as host, m.link, array_agg(d.user_id::int order by d.user_id) as people
        from message_message m join message_delivery d on d.message_id = m.id where m.text_key like 'callback%' group by m.id order by m.id`,
    );
  };
  expect(await told()).toEqual([]);
  const to = { link: `/app/detail/${appId}?tab=callback`, people: [owner.userId, decides.userId].toSorted((a, b) => a - b) };
  await group.call(appCallbackCalls.set, { appId, url: `${system.url}/other` });
  await group.call(appCallbackCalls.newSecret, { appId });
  await group.call(appCallbackCalls.test, { appId });
  await group.call(appCallbackCalls.delete, { appId });
  const host = new URL(url).hostname;
  expect(await told()).toEqual([
    { name: 'callbackSet', host, ...to },
    { name: 'callbackRenewed', host, ...to },
    { name: 'callbackDeleted', host, ...to },
  ]);
  for (const one of [group, looks, below]) expect(to.people).not.toContain(one.userId);
  const [{ package_name: name } = {}] = await run(sql<{ package_name: string }>`select package_name from app_app where id = ${appId}`);
  const log = await run(
    sql<{ call: string; who: number; target: string }>`
      select call, actor_id::int as who, target from audit_entry where call like '%/app/url/callback/%' and target = ${`call-back of ${name}`} order by id`,
  );
  expect(log.map(({ call, who }) => [call.split('/').at(-1), who])).toEqual([
    ['set', owner.userId],
    ['newSecret', owner.userId],
    ['set', group.userId],
    ['newSecret', group.userId],
    ['test', group.userId],
    ['delete', group.userId],
  ]);
  const mails = await run(
    sql<{ subject: string }>`select subject from mail_message where user_id = ${owner.userId} and subject like '%call-back%' order by id`,
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/Group set the call-back address of Till/),
    expect.stringMatching(/Group made a new call-back secret for Till/),
    expect.stringMatching(/Group deleted the call-back address of Till/),
  ]);
});
