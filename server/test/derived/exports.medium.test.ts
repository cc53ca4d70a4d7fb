import { eachMenu } from '@mooring/contract/access/menus';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { setRoles } from '../../src/modules/access/api.ts';
import { makeModules } from '../../src/modules/modules.ts';
import type { Exporter } from '../../src/platform/work/exporter.ts';
import { type Client, clientOf, type TestApp, testApp } from '../test-app.ts';

/** An export gives rows to who may export them at that moment: derived from the exporters and the calls that begin them. */

const exports = allCalls.filter(
  (call) => call.input instanceof z.ZodObject && 'columns' in call.input.shape && 'format' in call.input.shape,
);
const WORK = { centre: 'file:work:page', manager: 'file:managerWork:page' } as const;
let app: TestApp;
let exporters: readonly Exporter[] = [];
beforeAll(async () => {
  app = await testApp();
  exporters = makeModules(app.context).modules.flatMap((module) => module.exporters ?? []);
});
afterAll(() => app.stop());

test('every list that is exported names the permission of its call', () => {
  expect(exporters.map((one) => String(one.can)).sort()).toEqual(exports.map((call) => String(call.can)).sort());
});

let made = 0;
type Platform = 'centre' | 'manager';
const codesFor = (can: Call['can'], platform: Platform) =>
  eachMenu()
    .filter((node) => node.type !== 1 && node.platforms.includes(platform) && node.perms.some((perm) => isAllowed(new Set([perm]), can)))
    .map((node) => node.code);
/** Where the list stands that is exported. */
const platformOf = (can: Call['can']): Platform => (codesFor(can, 'centre').length > 0 ? 'centre' : 'manager');
/** Somebody with the task centre, and what a call asks for until it is taken away. */
async function somebody(can: Call['can']): Promise<{ client: Client; lose(): Promise<void> }> {
  const platform = platformOf(can);
  const client = await app.person('orgMember', { id: 2, path: '1.2.' }, platform);
  const roleOf = (menus: string[]) =>
    app.context.unscoped((db) => {
      made += 1;
      return db
        .insertInto('access_role')
        .values({ name: `Exports ${made}`, type: '1', platforms: [platform], menus, dept_id: 2, dept_path: '1.2.' })
        .returning('id')
        .executeTakeFirstOrThrow();
    });
  const become = async (menus: string[]) => {
    const { id } = await roleOf(menus);
    await app.context.unscoped((db) => setRoles(db, client.userId, [id], { by: null, way: 'system' }));
  };
  const centre = codesFor(WORK[platform], platform);
  await become([...centre, ...codesFor(can, platform)]);
  return { client, lose: () => become(centre) };
}
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
/** Of one's own lists there is no right to lose, nor anything for a system's key. */
const found = exports.filter(({ can }) => can !== 'session').map((call) => [call.path, call] as const);

describe.each(found)('%s', (_path, call) => {
  const begin = async (client: Client): Promise<number> => {
    const of = exporters.find((one) => one.name === call.path) ?? exporters.find((one) => one.can === call.can);
    const input = {
      criteria: releaseKinds.some(({ paths }) => call.group === paths.results) ? { taskId: 1 } : {},
      format: 'csv',
      columns: [Object.keys(of?.columns ?? {})[0]],
    };
    const { code, body } = await client.send(call, input);
    expect([code, body]).toEqual([200, { work: expect.any(Number) }]);
    return (body as unknown as { work: number }).work;
  };
  const state = async (id: number) => {
    const row = await app.context.unscoped((db) =>
      db.selectFrom('work').select(['state', 'reason', 'file_id']).where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return row;
  };

  test('gives nothing any more to who lost its right: not again, not by what waits, and not what was made', async () => {
    const { client, lose } = await somebody(call.can);
    const cancelled = await begin(client);
    await client.call(backgroundJobCalls.cancel, { id: cancelled });
    const done = await begin(client);
    await app.runJobs();
    const { file_id } = await state(done);
    expect(await faultOf(client.send(backgroundJobCalls.download, { id: done }))).toBe(200);
    const waiting = await begin(client);
    await lose();
    expect(await faultOf(client.send(backgroundJobCalls.retry, { id: cancelled }))).toBe('FORBIDDEN');
    expect(await faultOf(client.send(backgroundJobCalls.download, { id: done }))).toBe('FORBIDDEN');
    expect(await faultOf(client.send(fileCalls.getSecurityToken, { id: file_id }))).toBe('NOT_FOUND');
    await app.runJobs();
    expect(await state(waiting)).toEqual({ state: 'failed', reason: 'FORBIDDEN', file_id: null });
    const shown = await client.call(backgroundJobCalls.detail, { id: done });
    expect(shown.allowedActions).toEqual(['delete']);
  });

  test('an API token sees and fetches what it began, and nothing else of its person', async () => {
    const platform = platformOf(call.can);
    const work = WORK[platform];
    const { client } = await somebody(call.can);
    const scopes = String(call.can)
      .split('||')
      .filter((one) => codesFor(one as Call['can'], platform).length > 0);
    const tokenOf = async (...of: string[]) => {
      const { token } = await client.call(tokenCalls.add, { name: 'robot', scopes: of, days: 1 });
      return clientOf(app.http, token, client.userId, platform, platform === 'centre' ? 0 : 2);
    };
    const [robot, other, reader] = [await tokenOf(work, ...scopes), await tokenOf(work, ...scopes), await tokenOf(work)];
    const [mine, its] = [await begin(client), await begin(robot)];
    await app.runJobs();
    const seen = async (who: Client) => (await who.call(backgroundJobCalls.page, {})).content.map((one) => one.id);
    expect([await seen(client), await seen(robot), await seen(other), await seen(reader)]).toEqual([[its, mine], [its], [], []]);
    for (const [who, id] of [
      [robot, mine],
      [other, its],
      [reader, its],
    ] as const)
      for (const one of [backgroundJobCalls.download, backgroundJobCalls.retry, backgroundJobCalls.delete])
        expect([one.path, await faultOf(who.send(one, { id }))]).toEqual([one.path, 'NOT_FOUND']);
    expect(await faultOf(robot.send(backgroundJobCalls.download, { id: its }))).toBe(200);
  });
});
