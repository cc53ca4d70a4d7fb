import { appVersionCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct, settlePublished } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { becomeDeveloper, bring, describe, list } from '../app.factory.ts';

/** What subscribers are told: of new versions, and of how long they get them. */
let app: TestApp;
let maker: DeptAt;
let developer: Client;
let reviewer: Client;
let owner: Client;
let banks: Client[];
let productId = 0;
let appId = 0;
let first = 0;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('developer', maker);
  owner = await app.person('orgManager', maker);
  reviewer = await app.person('reviewer', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
  ({ id: first, appId } = await listed({ versionCode: 1, versionName: '1.0' }));
  banks = [];
  for (const name of ['Newest', 'Keeps', 'Blocked', 'Over', 'Ended']) banks.push(await app.person('orgManager', await app.dept(name)));
});
afterAll(() => app.stop());

const DAY = 86_400_000;
const day = (days: number) => new Date(app.clock.now.getTime() + days * DAY).toISOString().slice(0, 10);
async function listed(of: object) {
  const made = await bring(app, developer, maker, of);
  await describe(developer, made, productId);
  await list(app, developer, reviewer, made);
  return made;
}
/** Titles and texts by whom they are for. */
const told = async (names: readonly string[]) => {
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ text_key: string; org: string; params: object }>`
      select m.text_key, o.name as org, m.params from message_message m join org_dept o on o.dept_path = m.dept_path
      where m.text_key = any(${names}::text[]) order by m.id`.execute(db),
  );
  return rows.map(({ text_key: name, org, params }) => [name, org, params]);
};
const subscribe = (who: Client, more: object = {}) => who.call(appSubscriptionCalls.add, { appId, ...more });
const term = (of: { id: number; revision: number }, more: object) =>
  owner.call(appSubscriptionCalls.term, { id: of.id, revision: of.revision, validUntil: null, blacklist: '0', reason: '', ...more });

test('a version that comes into the catalogue is told once to each whose subscription gives it', async () => {
  const [newest, keeps, blocked, over, ended] = banks as [Client, Client, Client, Client, Client];
  await subscribe(newest);
  await subscribe(keeps, { versionId: first });
  await term(await subscribe(blocked), { blacklist: '1' });
  await term(await subscribe(over), { validUntil: day(2) });
  await ended.call(appSubscriptionCalls.end, { id: (await subscribe(ended)).id });
  app.clock.now = new Date(app.clock.now.getTime() + 3 * DAY);
  const { id } = await listed({ versionCode: 2, versionName: '2.0' });
  const news = [['appListedHere', 'Newest', { name: 'Till', version: '2.0' }]];
  expect(await told(['appListedHere'])).toEqual(news);
  await developer.call(appVersionCalls.unpublish, { id });
  await developer.call(appVersionCalls.publish, { id });
  await settlePublished(app);
  expect(await told(['appListedHere'])).toEqual(news);
});

test('a term is told when it is changed, thirty days and seven days before its end, once each', async () => {
  const bank = await app.person('orgManager', await app.dept('Term'));
  const names = ['subscriptionEnds', 'subscriptionTerm', 'subscriptionEndless'];
  const since = (await told(names)).length;
  const news = async () => (await told(names)).slice(since).map(([name, , params]) => [name, params]);
  const made = await subscribe(bank);
  const until = day(40);
  const set = await term(made, { validUntil: until, reason: 'A trial' });
  const said = { app: 'Till', org: 'Maker' };
  const changed = [['subscriptionTerm', { ...said, until, comment: 'A trial' }]];
  const warn = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'app:warnOfTerms', {}));
    return news();
  };
  expect(await warn()).toEqual(changed);
  app.clock.now = new Date(app.clock.now.getTime() + 10 * DAY);
  const month = [...changed, ['subscriptionEnds', { ...said, days: 30 }]];
  expect(await warn()).toEqual(month);
  expect(await warn()).toEqual(month);
  app.clock.now = new Date(app.clock.now.getTime() + 25 * DAY);
  const week = [...month, ['subscriptionEnds', { ...said, days: 5 }]];
  expect(await warn()).toEqual(week);
  expect(await warn()).toEqual(week);
  const { revision } = await bank.call(appSubscriptionCalls.detail, { id: made.id });
  expect(revision).toBeGreaterThanOrEqual(set.revision);
  await term({ id: made.id, revision }, { validUntil: null });
  expect(await warn()).toEqual([...week, ['subscriptionEndless', { ...said, comment: '' }]]);
});

test('a term that ends, or is over, is said to its owner too, and another one is asked for: key and secret stay', async () => {
  const bank = await app.person('orgManager', await app.dept('Asks'));
  const names = ['subscriptionEndsThere', 'subscriptionTermAsked'];
  const since = (await told(names)).length;
  const news = async () => (await told(names)).slice(since);
  const { id, appKey } = await subscribe(bank);
  const of = () => bank.call(appSubscriptionCalls.detail, { id });
  expect((await of()).allowedActions).not.toContain('renew');
  await term(await of(), { validUntil: day(5) });
  await app.context.unscoped((db) => app.context.enqueue(db, 'app:warnOfTerms', {}));
  const warned = ['subscriptionEndsThere', 'Maker', { app: 'Till', org: 'Asks', days: 5 }];
  expect(await news()).toEqual([warned]);
  app.clock.now = new Date(app.clock.now.getTime() + 6 * DAY);
  expect(await of()).toMatchObject({ validity: '1', termAskedAt: null });
  const asked = await bank.call(appSubscriptionCalls.renew, { id, comment: 'We go on' });
  expect([asked.termAskedAt === null, asked.allowedActions.includes('renew')]).toEqual([false, false]);
  expect(await news()).toEqual([warned, ['subscriptionTermAsked', 'Maker', { app: 'Till', org: 'Asks', comment: 'We go on' }]]);
  expect((await bank.send(appSubscriptionCalls.renew, { id })).body?.fault).toBe('OVERTAKEN');
  expect((await owner.send(appSubscriptionCalls.renew, { id })).body?.fault).toBe('NOT_FOUND');
  await term(await of(), { validUntil: day(30) });
  expect(await of()).toMatchObject({ validity: '0', termAskedAt: null, appKey });
});
