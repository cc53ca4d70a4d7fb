import { appCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appSubscriptionCalls, appUrlCalls } from '@mooring/contract/app/subscription';
import { fileCalls } from '@mooring/contract/file/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAppRow } from '../../../../test/apps.ts';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';

let app: TestApp;
let maker: DeptAt;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let owner: Client;
let taker: Client;
let lower: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('App maker');
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other bank');
  const manager = (at: DeptAt) => app.person('platformAdmin', at);
  [owner, taker, lower, outsider] = [await manager(maker), await manager(bank), await manager(branch), await manager(other)];
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
let count = 0;
/** An app of the maker, which the platform took into its catalogue. */
async function listed(mode = 'free'): Promise<{ app: number; appVersion: number }> {
  count += 1;
  const made = await makeAppRow(app, maker, `App ${count}`, { review_state: '2', publish_state: '1', market_id: app.root.id });
  await run(sql`update app_app set subscription = ${mode} where id = ${made.app}`);
  return made;
}
const subscribed = async (mode = 'free') => {
  const made = await listed(mode);
  return { ...made, ...(await taker.call(appSubscriptionCalls.add, { appId: made.app })) };
};

describe('a subscription', () => {
  test('holds at once where the app is free; both sides have it, and nobody else', async () => {
    const { app: appId, id, ...row } = await subscribed();
    expect(row).toMatchObject({
      state: 'active',
      validity: '0',
      side: 'subscriber',
      ownerName: 'App maker',
      deptName: 'Bank',
      hasSecret: false,
    });
    expect(await owner.call(appSubscriptionCalls.detail, { id })).toMatchObject({ side: 'owner', deptName: 'Bank' });
    expect(await faultOf(outsider.send(appSubscriptionCalls.detail, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(lower.send(appSubscriptionCalls.detail, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(taker.send(appSubscriptionCalls.add, { appId }))).toBe('APP_SUBSCRIBED');
    expect((await outsider.call(appSubscriptionCalls.add, { appId })).deptName).toBe('Other bank');
    expect(await outsider.call(appCalls.detail, { id: appId })).toMatchObject({ deptName: 'App maker', own: false });
    expect(await faultOf(owner.send(appSubscriptionCalls.add, { appId }))).toBe('APP_OWN');
  });
  test('is asked for where its owner decides; each side does what is its own, once', async () => {
    const { id, state } = await subscribed('asked');
    expect(state).toBe('asked');
    expect(await faultOf(taker.send(appSubscriptionCalls.accept, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(owner.send(appSubscriptionCalls.accept, { id, validUntil: '2020-01-01' }))).toBe('DAY_PAST');
    const answers = await Promise.all([
      owner.send(appSubscriptionCalls.accept, { id, validUntil: '2999-01-01' }),
      owner.send(appSubscriptionCalls.refuse, { id, reason: 'Not now' }),
    ]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    const after = await taker.call(appSubscriptionCalls.detail, { id });
    expect(['active', 'refused']).toContain(after.state);
    const said = await run(
      sql<{ text_key: string }>`select text_key from message_message where link like ${`/appSub/${id}/%`} order by id`,
    );
    expect(said.map((row) => row.text_key)).toEqual([
      'subscriptionAsked',
      after.state === 'active' ? 'subscriptionAccepted' : 'subscriptionRefused',
    ]);
    if (after.state === 'refused') expect((await taker.call(appSubscriptionCalls.add, { appId: after.appId })).state).toBe('asked');
  });
  test('is for what is in one’s catalogue: what a reviewer beside it approved isn’t there', async () => {
    const { app: appId, appVersion } = await listed();
    await run(sql`update app_version set market_id = ${maker.id} where id = ${appVersion}`);
    expect(await faultOf(taker.send(appSubscriptionCalls.add, { appId }))).toBe('NOT_FOUND');
    await run(sql`update app_version set market_id = ${bank.id} where id = ${appVersion}`);
    expect(await faultOf(outsider.send(appCalls.detail, { id: appId }))).toBe('NOT_FOUND');
    expect((await lower.call(appSubscriptionCalls.add, { appId })).deptName).toBe('Branch');
  });
  test('is offered on the page of an app to who may have one, and found there', async () => {
    const { app: appId, id } = await subscribed();
    const offered = async (client: Client) => (await client.call(appCalls.detail, { id: appId })).subscribable;
    expect([await offered(outsider), await offered(lower), await offered(owner)]).toEqual([true, true, false]);
    const below = await app.person('platformAdmin', await app.dept('Maker’s branch', maker));
    expect(await offered(below)).toBe(false);
    const theirs = await lower.call(appSubscriptionCalls.add, { appId });
    const found = async (client: Client) =>
      (await client.call(appSubscriptionCalls.page, { criteria: { appId, mine: true } })).content.map((row) => row.id);
    expect([await found(taker), await found(lower), await found(outsider), await found(owner)]).toEqual([[id], [theirs.id], [], []]);
    await termOf(id, { blacklist: '1' });
    expect([await offered(taker), await offered(lower), await offered(outsider)]).toEqual([false, false, true]);
  });
  test('two at once are one', async () => {
    const { app: appId } = await listed();
    const answers = await Promise.all([1, 2, 3].map(() => taker.send(appSubscriptionCalls.add, { appId })));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code !== 200).map(({ body }) => body?.fault)).toEqual(['APP_SUBSCRIBED', 'APP_SUBSCRIBED']);
  });
  test('with a term that is over, on the blacklist or ended, brings nothing more', async () => {
    const { id, appVersion: versionId } = await subscribed();
    const productId = await makeProduct(app, app.root);
    const [sn = ''] = [`SUB${String(count).padStart(5, '0')}`];
    await makeDevices(app, bank, productId, [sn]);
    await run(sql`insert into app_version_product (version_id, product_id, dept_path) values (${versionId}, ${productId}, ${maker.path})`);
    const task = { name: 'Apps', scope: { releaseScope: '2' as const, sns: [sn] }, content: { action: 'install' as const, versionId } };
    const released = (client = taker) => faultOf(client.send(softAppTaskCalls.add, task));
    expect(await released()).toBeUndefined();
    // Whoever is below is covered by it.
    expect(await released(lower)).toBeUndefined();
    const row = await owner.call(appSubscriptionCalls.detail, { id });
    const blocked = await owner.call(appSubscriptionCalls.term, {
      id,
      revision: row.revision,
      validUntil: null,
      blacklist: '1',
      reason: 'Unpaid',
    });
    expect(blocked).toMatchObject({ validity: '1', blacklist: '1' });
    expect(await released()).toBe('APP_NOT_SUBSCRIBED');
    expect(await faultOf(owner.send(appSubscriptionCalls.term, { id, revision: row.revision, validUntil: null, blacklist: '0' }))).toBe(
      'OVERTAKEN',
    );
    await owner.call(appSubscriptionCalls.term, { id, revision: blocked.revision, validUntil: '2020-01-01', blacklist: '0' });
    expect(await released()).toBe('APP_NOT_SUBSCRIBED');
    await run(sql`update app_subscription set valid_until = null where id = ${id}`);
    expect(await released()).toBeUndefined();
    await taker.call(appSubscriptionCalls.end, { id });
    expect(await released()).toBe('APP_NOT_SUBSCRIBED');
  });
  const termOf = async (id: number, said: object) => {
    const { revision } = await owner.call(appSubscriptionCalls.detail, { id });
    return owner.call(appSubscriptionCalls.term, { id, revision, validUntil: null, blacklist: '0', ...said });
  };
  test('that was shut out doesn’t come back by ending it, nor by a branch of its own', async () => {
    const { id, app: appId } = await subscribed();
    await termOf(id, { blacklist: '1' });
    await taker.call(appSubscriptionCalls.end, { id });
    for (const client of [taker, lower])
      expect(await faultOf(client.send(appSubscriptionCalls.add, { appId }))).toBe('SUBSCRIPTION_BLOCKED');
    expect((await outsider.call(appSubscriptionCalls.add, { appId })).state).toBe('active');
    // Its owner takes it off the blacklist, also when it has ended.
    await termOf(id, {});
    expect((await taker.call(appSubscriptionCalls.add, { appId })).state).toBe('active');
  });
  const blocking = (appId: number, { id: deptId }: DeptAt, deptName: string) => ({ appId, deptId, deptName, reason: 'A rival' });
  const block = (...of: Parameters<typeof blocking>) => owner.call(appSubscriptionCalls.block, blocking(...of));
  const refused = (...of: Parameters<typeof blocking>) => faultOf(owner.send(appSubscriptionCalls.block, blocking(...of)));
  test('is kept from an organisation that never asked: it finds out why, until it is let in again', async () => {
    const { app: appId, appVersion } = await listed();
    const row = await block(appId, bank, 'Bank');
    expect(row).toMatchObject({ state: 'refused', blacklist: '1', reason: 'A rival', deptName: 'Bank', side: 'owner' });
    expect(row.allowedActions).toEqual(['term', 'unblock']);
    for (const client of [taker, lower]) {
      const answer = await client.send(appSubscriptionCalls.add, { appId });
      expect(answer.body).toMatchObject({ fault: 'SUBSCRIPTION_BLOCKED', fields: { appId: { key: 'fault.SUBSCRIPTION_BLOCKED' } } });
      // It stays in the catalogue, where it says so.
      expect(await client.call(appCalls.detail, { id: appId })).toMatchObject({ subscribable: false, blocked: true });
    }
    expect((await taker.call(appSubscriptionCalls.page, { criteria: { appId, mine: true } })).content).toMatchObject([
      { reason: 'A rival', blacklist: '1', allowedActions: [] },
    ]);
    expect(await outsider.call(appCalls.detail, { id: appId })).toMatchObject({ subscribable: true, blocked: false });
    const may = await run(sql<{ may: boolean }>`select app_may_release(${appVersion}, ${bank.path}, current_date) as may`);
    expect(may).toEqual([{ may: false }]);
    // Another app of the same owner isn't touched.
    const { app: beside } = await listed();
    expect((await taker.call(appSubscriptionCalls.add, { appId: beside })).state).toBe('active');

    const { id } = row;
    expect(await owner.call(appSubscriptionCalls.unblock, { id })).toMatchObject({ state: 'refused', blacklist: '0' });
    expect(await faultOf(owner.send(appSubscriptionCalls.unblock, { id }))).toBe('OVERTAKEN');
    expect((await taker.call(appSubscriptionCalls.add, { appId })).state).toBe('active');
    const told = await run(sql<{ n: number }>`select count(*)::int as n from message_message where link like ${`/appSub/${id}/%`}`);
    expect(told).toEqual([{ n: 0 }]);
  });
  test('that holds or is asked for is blocked where it stands, and its subscriber is told once', async () => {
    const asked = await subscribed('asked');
    for (const _ of [1, 2]) expect(await block(asked.app, bank, 'bank')).toMatchObject({ id: asked.id, state: 'refused', blacklist: '1' });
    const said = await run(
      sql<{ text_key: string }>`select text_key from message_message where link like ${`/appSub/${asked.id}/%`} order by id`,
    );
    expect(said.map((row) => row.text_key)).toEqual(['subscriptionAsked', 'subscriptionBlocked']);
    const held = await subscribed();
    expect(await block(held.app, bank, 'Bank')).toMatchObject({ id: held.id, state: 'active', validity: '1', blacklist: '1' });
    expect(await owner.call(appSubscriptionCalls.unblock, { id: held.id })).toMatchObject({ state: 'active', validity: '0' });
    // Two at the same moment make one row.
    const { app: fresh } = await listed();
    const rows = await Promise.all([1, 2].map(() => block(fresh, other, 'Other bank')));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  });
  test('is blocked by the owner of the app alone, for others than its own line, and no name is learned by counting ids', async () => {
    const { app: appId } = await listed();
    expect(await faultOf(outsider.send(appSubscriptionCalls.block, blocking(appId, bank, 'Bank')))).toBe('NOT_FOUND');
    expect(await faultOf(outsider.send(appSubscriptionCalls.blockable, { appId }))).toBe('NOT_FOUND');
    expect(await refused(appId, bank, 'Ban')).toBe('NOT_FOUND');
    for (const [dept, name] of [
      [maker, 'App maker'],
      [await app.dept('Maker’s shop', maker), 'Maker’s shop'],
    ] as const)
      expect(await refused(appId, dept, name)).toBe('BLOCK_OWN');
    const found = async (text: string) => (await owner.call(appSubscriptionCalls.blockable, { appId, text })).map(({ name }) => name);
    expect([await found(''), await found('Ban'), await found('bank')]).toEqual([[], [], ['Bank']]);
    await taker.call(appSubscriptionCalls.add, { appId });
    expect([await found(''), await found('Ban')]).toEqual([['Bank'], ['Bank']]);
    const { id } = await block(appId, bank, 'Bank');
    expect(await found('bank')).toEqual([]);
    expect(await faultOf(taker.send(appSubscriptionCalls.unblock, { id }))).toBe('NOT_FOUND');
  });
  test('whose term is over is asked for anew, also where the app is free', async () => {
    const { id, app: appId } = await subscribed();
    await run(sql`update app_subscription set valid_until = '2020-01-01' where id = ${id}`);
    await taker.call(appSubscriptionCalls.end, { id });
    expect((await lower.call(appSubscriptionCalls.add, { appId })).state).toBe('asked');
    expect((await taker.call(appSubscriptionCalls.add, { appId })).state).toBe('asked');
  });
  test('of two that are merged keeps what is stricter', async () => {
    const { id, app: appId } = await subscribed();
    const theirs = await outsider.call(appSubscriptionCalls.add, { appId });
    await termOf(id, { validUntil: '2999-01-01' });
    await termOf(theirs.id, { blacklist: '1' });
    await run(sql`update app_subscription set dept_id = ${bank.id}, dept_path = ${bank.path} where id = ${theirs.id}`);
    expect(await taker.call(appSubscriptionCalls.detail, { id })).toMatchObject({
      state: 'active',
      blacklist: '1',
      validUntil: '2999-01-01',
    });
    expect(await taker.call(appSubscriptionCalls.detail, { id: theirs.id })).toMatchObject({ state: 'ended', reason: 'merged' });
  });
  test('takes no version that isn’t in its catalogue, and none for tests', async () => {
    const { id, appVersion, revision } = await subscribed();
    await run(sql`update app_version set market_id = ${maker.id} where id = ${appVersion}`);
    expect((await owner.call(appSubscriptionCalls.detail, { id })).versionCode).toBeNull();
    const { appKey, secret } = await taker.call(appSubscriptionCalls.rotate, { id });
    expect(await faultOf(taker.send(appUrlCalls.fetch, { appKey, secret }))).toBe('APP_NOT_LISTED');
    await run(sql`update app_version set market_id = ${app.root.id}, channel = 'test' where id = ${appVersion}`);
    expect(await faultOf(taker.send(appSubscriptionCalls.update, { id, revision, versionId: appVersion }))).toBe('APP_NOT_LISTED');
  });
  test('lets its package be read: whoever only sees the app in the catalogue may not', async () => {
    const { appVersion } = await subscribed();
    const [file] = await run(sql<{ id: number }>`select file_id as id from app_version where id = ${appVersion}`);
    const read = (client: Client) => faultOf(client.send(fileCalls.getSecurityToken, { id: file?.id }));
    expect(await read(outsider)).toBe('NOT_FOUND');
    for (const client of [taker, lower, owner]) expect(await read(client)).toBeUndefined();
  });
  test('ends with what goes on of its releases: once it is over, shut out or ended', async () => {
    const { id, appVersion: versionId } = await subscribed();
    const content = { action: 'install' as const, versionId };
    const task = await taker.call(softAppTaskCalls.add, { name: 'Apps', scope: { releaseScope: '2', sns: ['SUB00000'] }, content });
    const stateOf = async () => (await run(sql<{ state: string }>`select state from rollout_task where id = ${task.id}`))[0]?.state;
    const goOn = () => run(sql`update rollout_task set state = 'running' where id = ${task.id}`);
    await goOn();
    await app.runJobs();
    expect(await stateOf()).toBe('running');
    await termOf(id, { blacklist: '1' });
    await app.runJobs();
    expect(await stateOf()).toBe('paused');
    await termOf(id, {});
    await goOn();
    await run(sql`update app_subscription set valid_until = '2020-01-01' where id = ${id}`);
    await app.context.unscoped((db) => app.context.enqueue(db, 'app:pauseOver', {}));
    await app.runJobs();
    expect(await stateOf()).toBe('paused');
    await run(sql`update app_subscription set valid_until = null where id = ${id}`);
    await goOn();
    await taker.call(appSubscriptionCalls.end, { id });
    await app.runJobs();
    expect(await stateOf()).toBe('paused');
  });
  test('of a branch pauses its releases when the organisation above it, which never asked, is blocked', async () => {
    const { app: appId, appVersion: versionId } = await listed();
    await lower.call(appSubscriptionCalls.add, { appId });
    const content = { action: 'install' as const, versionId };
    const task = await lower.call(softAppTaskCalls.add, { name: 'Below', scope: { releaseScope: '2', sns: ['SUB00001'] }, content });
    await run(sql`update rollout_task set state = 'running' where id = ${task.id}`);
    await block(appId, bank, 'Bank');
    await app.runJobs();
    expect(await run(sql<{ state: string }>`select state from rollout_task where id = ${task.id}`)).toEqual([{ state: 'paused' }]);
  });
  test('keeps to a version, or takes the newest', async () => {
    const { id, appVersion, revision } = await subscribed();
    await run(sql`insert into app_version (app_id, package_name, version_code, version_name, file_id, file_name, size, sha256, md5, certificate_sha256, valid_from, min_sdk, target_sdk,
        review_state, publish_state, market_id, dept_id, dept_path)
      select app_id, package_name, 2, '2.0', file_id, file_name, size, sha256, md5, certificate_sha256, valid_from, min_sdk, target_sdk, '2', '1', market_id, dept_id, dept_path from app_version where id = ${appVersion}`);
    expect((await taker.call(appSubscriptionCalls.detail, { id })).versionCode).toBe(2);
    const [newer] = await run(sql<{ id: number }>`select v.id from app_version v join app_version o on o.app_id = v.app_id
      where o.id = ${appVersion} and v.version_code = 2`);
    const taskOf = (versionId: number) => ({
      name: 'Apps',
      scope: { releaseScope: '2' as const, sns: ['SUB00000'] },
      content: { action: 'install' as const, versionId },
    });
    const task = await taker.call(softAppTaskCalls.add, taskOf(newer?.id ?? 0));
    await run(sql`update rollout_task set state = 'running' where id = ${task.id}`);
    const pinned = await taker.call(appSubscriptionCalls.update, { id, revision, versionId: appVersion });
    expect(pinned.versionCode).toBe(1);
    // From then on only that one is released, and what goes on of others stops.
    expect(await faultOf(taker.send(softAppTaskCalls.add, taskOf(newer?.id ?? 0)))).toBe('APP_NOT_SUBSCRIBED');
    expect(await faultOf(taker.send(softAppTaskCalls.add, taskOf(appVersion)))).toBeUndefined();
    await app.runJobs();
    expect(await run(sql<{ state: string }>`select state from rollout_task where id = ${task.id}`)).toEqual([{ state: 'paused' }]);
    const foreign = await listed();
    expect(await faultOf(taker.send(appSubscriptionCalls.update, { id, revision: pinned.revision, versionId: foreign.appVersion }))).toBe(
      'NOT_FOUND',
    );
  });
  test('goes where its app goes', async () => {
    const { id } = await subscribed();
    await run(
      sql`update app_app set dept_id = ${other.id}, dept_path = ${other.path} where id = (select app_id from app_subscription where id = ${id})`,
    );
    expect((await outsider.call(appSubscriptionCalls.detail, { id })).side).toBe('owner');
    expect(await faultOf(owner.send(appSubscriptionCalls.detail, { id }))).toBe('NOT_FOUND');
  });
});

describe('links to packages', () => {
  test('are for both sides’ eyes by session, and for another system by key and secret alone', async () => {
    const { id } = await subscribed();
    const link = await taker.call(appUrlCalls.link, { id });
    expect(link).toMatchObject({ versionCode: 1, url: expect.stringMatching(/^\/ops\/file\/get\//) });
    expect(await faultOf(outsider.send(appUrlCalls.link, { id }))).toBe('NOT_FOUND');
    const { appKey, secret } = await taker.call(appSubscriptionCalls.rotate, { id });
    const fetched = (given: object) => faultOf(taker.send(appUrlCalls.fetch, { appKey, secret, ...given }));
    expect(await fetched({})).toBeUndefined();
    expect(await fetched({ secret: `${secret}x` })).toBe('APP_KEY_WRONG');
    expect(await fetched({ appKey: 'ak_none' })).toBe('APP_KEY_WRONG');
    expect(await faultOf(owner.send(appSubscriptionCalls.rotate, { id }))).toBe('NOT_FOUND');
    const next = await taker.call(appSubscriptionCalls.rotate, { id, overlapHours: 2 });
    expect(await fetched({})).toBeUndefined();
    expect(await fetched({ secret: next.secret })).toBeUndefined();
    // Another one leaves each as long as was said of it, however short its own overlap is.
    const last = await taker.call(appSubscriptionCalls.rotate, { id, overlapHours: 1 });
    for (const one of [secret, next.secret, last.secret]) expect(await fetched({ secret: one })).toBeUndefined();
    const before = app.clock.now;
    app.clock.now = new Date(before.getTime() + 90 * 60_000);
    expect([await fetched({}), await fetched({ secret: next.secret })]).toEqual([undefined, 'APP_KEY_WRONG']);
    app.clock.now = before;
    const only = await taker.call(appSubscriptionCalls.rotate, { id, overlapHours: 0 });
    for (const one of [secret, next.secret, last.secret]) expect(await fetched({ secret: one })).toBe('APP_KEY_WRONG');
    await run(sql`update app_subscription set blacklist = '1' where id = ${id}`);
    expect(await fetched({ secret: only.secret })).toBe('SUBSCRIPTION_INVALID');
    const kept = await run(
      sql<{
        text: string;
      }>`select to_jsonb(s)::text as text from app_subscription s where id = ${id} union all select to_jsonb(a)::text from audit_entry a`,
    );
    expect(kept.some(({ text }) => [secret, next.secret, only.secret].some((one) => text.includes(one)))).toBe(false);
  });
});
