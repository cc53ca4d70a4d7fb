import { eachMenu } from '@mooring/contract/access/menus';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { fileKinds } from '@mooring/contract/file/kinds';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { metadataOf } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeModules } from '../../src/modules/modules.ts';
import type { FileOwner } from '../../src/platform/module.ts';
import { makeAppRow, makeSdk } from '../apps.ts';
import { makeDevices, makeFile, makePackage, makeProduct, makeShown } from '../firmware.ts';
import { makeNotice } from '../named-rows.ts';
import { makeOrderRow } from '../orders.ts';
import { makeMaintenance } from '../places.ts';
import { type Client, clientOf, type TestApp, testApp } from '../test-app.ts';

/** Who reads a file: who made it, and who sees a row that it hangs on. Derived from the kinds, the owners and the calls. */

let app: TestApp;
let maker: Client;
let colleague: Client;
let managing: Client;
let outsider: Client;
let steward: Client;
let bank: { id: number; path: string };
let owners: readonly FileOwner[] = [];
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  maker = await app.person('orgManager', bank);
  colleague = await app.person('orgManager', bank);
  managing = await app.person('orgManager', bank, 'manager');
  steward = await app.person('platformAdmin', app.root, 'manager');
  outsider = await app.person('orgManager', await app.dept('Other'));
  owners = makeModules(app.context).modules.flatMap((module) => module.fileOwners ?? []);
});
afterAll(() => app.stop());

/** What isn't read isn't taken along either. */
async function asks(who: Client, id: number): Promise<number> {
  const { code } = await who.send(fileCalls.getSecurityToken, { id });
  if (code !== 200) expect([403, 404]).toContain((await who.send(fileCalls.reuse, { id })).code);
  return code;
}
const tokenOf = async (who: Client, scopes: readonly string[], platform = 'centre') => {
  const { token } = await who.call(tokenCalls.add, { name: 'robot', scopes: [...scopes], days: 1 });
  return clientOf(app.http, token, who.userId, platform, platform === 'centre' ? 0 : who === steward ? app.root.id : bank.id);
};

test.each([...fileKinds.map(({ code }) => code), 'export'])(
  'a file of kind %s is its maker’s alone, whoever else is of the organisation',
  async (kind) => {
    const id = await makeFile(app, maker, bank);
    await app.context.unscoped((db) => sql`update file_file set kind = ${kind} where id = ${id}`.execute(db));
    expect(await asks(maker, id)).toBe(200);
    for (const other of [colleague, outsider]) expect(await asks(other, id)).toBe(404);
    // A system that acts for the maker was given devices, and no files.
    expect(await asks(await tokenOf(maker, ['device:device:page']), id)).toBe(404);
  },
);

/** A row of each owner that has this file: one that isn't made here yet fails below. */
const rows: Readonly<Record<string, (id: number, where: FileOwner['where']) => Promise<void>>> = {
  app_app: async (id) => {
    const { app: appId } = await makeAppRow(app, bank, 'Icon');
    await app.context.unscoped((db) => db.updateTable('app_app').set({ icon_id: id }).where('id', '=', appId).execute());
  },
  app_version: async (id) => {
    await makeAppRow(app, bank, 'Package', { icon_id: id, file_id: id });
  },
  app_version_file: async (id) => {
    const { appVersion } = await makeAppRow(app, bank, 'Shown');
    const values = { version_id: appVersion, file_id: id, dept_path: bank.path };
    await app.context.unscoped((db) => db.insertInto('app_version_file').values(values).execute());
  },
  app_sdk: async (id) => {
    const sdk = await makeSdk(app, bank, await makeProduct(app, bank), 'SDK');
    await app.context.unscoped((db) => db.updateTable('app_sdk').set({ file_id: id, publish_state: '1' }).where('id', '=', sdk).execute());
  },
  desktop_file: async (id, where) => {
    const part = where?.[1] as 'advert' | 'customization' | 'desktop';
    const shown = await makeShown(app, bank, `desktop_${part}`, 'Shown');
    const values = { [`${part}_id`]: shown, file_id: id, dept_path: bank.path };
    await app.context.unscoped((db) => db.insertInto('desktop_file').values(values).execute());
  },
  // In the first line of an approval of this type.
  approval_file: async (id, where) => {
    const type = where?.[1] ?? '1';
    const path = bank.path;
    await app.context.unscoped((db) =>
      sql`
        with a as (insert into approval_audit (task_type, task_class, task_id, name, content_hash, author_id, author_name, dept_id, dept_path)
          values (${type}, '1', ${id}, 'Asked', '', ${maker.userId}, 'Maker', ${bank.id}, ${path}) returning id),
        r as (insert into approval_record (audit_id, event, step, to_step, actor_id, actor_name, actor_path, dept_path)
          select id, 'apply', '10', '11', ${maker.userId}, 'Maker', ${path}, ${path} from a returning id)
        insert into approval_file (record_id, file_id, task_type, name, size, dept_path) select id, ${id}, ${type}, 'plan.pdf', 1, ${path} from r`.execute(
        db,
      ),
    );
  },
  help_file: async (id) => {
    await app.context.unscoped((db) =>
      sql`insert into help_file (article_id, file_id) select id, ${id} from help_article order by id limit 1`.execute(db),
    );
  },
  merchant_photo: async (id) => {
    const [deviceId = 0] = await makeDevices(app, bank, await makeProduct(app, bank), ['PHOTO001']);
    const values = { maintenance_id: await makeMaintenance(app, bank, deviceId, 'PHOTO001'), file_id: id, dept_path: bank.path };
    await app.context.unscoped((db) => db.insertInto('merchant_photo').values(values).execute());
  },
  order_file: async (id) => {
    const [deviceId = 0] = await makeDevices(app, bank, await makeProduct(app, bank), ['ORDER001']);
    const values = { order_id: await makeOrderRow(app, bank, deviceId, 'ORDER001'), file_id: id, dept_path: bank.path };
    await app.context.unscoped((db) => db.insertInto('order_file').values(values).execute());
  },
  message_notice_file: async (id) => {
    const { notice } = await makeNotice(app, bank, maker.userId, 'Announced');
    const values = { notice_id: notice ?? 0, file_id: id, dept_path: bank.path };
    await app.context.unscoped((db) => db.insertInto('message_notice_file').values(values).execute());
  },
  product_product: async (id) => {
    const productId = await makeProduct(app, bank);
    await app.context.unscoped((db) => sql`update product_product set photo_id = ${id} where id = ${productId}`.execute(db));
  },
  rollout_package: async (id, where) => {
    const productId = await makeProduct(app, bank);
    const packageId = await makePackage(app, maker, bank, productId, '1.0');
    const [column = 'content', value = 'firmware'] = where ?? [];
    await app.context.unscoped((db) =>
      sql`update rollout_package set file_id = ${id}, ${sql.ref(column)} = ${value} where id = ${packageId}`.execute(db),
    );
  },
};

/** Where such a permission is held. */
const platformOf = (permission: string) =>
  eachMenu().some(({ perms, platforms }) => perms.includes(permission) && platforms.includes('centre')) ? 'centre' : 'manager';

test('a file is read through each kind of row that it hangs on, with its permission, and by a key with that scope', async () => {
  expect(owners.length).toBeGreaterThan(0);
  for (const { table, where, can } of owners) {
    const id = await makeFile(app, maker, bank);
    const hang = rows[table];
    if (!hang) throw new Error(`no row of ${table} is made here`);
    expect(await asks(colleague, id), table).toBe(404);
    await hang(id, where);
    const [scope = ''] = String(can).split('||');
    const platform = platformOf(scope);
    const isPlatforms = eachMenu().some(({ perms, platformOnly }) => platformOnly && perms.includes(scope));
    const holder = isPlatforms ? steward : platform === 'centre' ? colleague : managing;
    expect(await asks(holder, id), table).toBe(200);
    expect(await asks(outsider, id), table).toBe(404);
    expect(await asks(await tokenOf(holder, [scope], platform), id), table).toBe(200);
    // Rows of another kind in the same table are another permission's.
    // Where the same permission is another platform's, it is asked for there.
    const others = owners.filter(
      (one) =>
        one.table === table &&
        one.can !== can &&
        one.where?.[1] !== where?.[1] &&
        platformOf(String(one.can).split('||')[0] ?? '') === platform,
    );
    for (const other of others)
      expect(
        await asks(await tokenOf(platform === 'centre' ? colleague : managing, String(other.can).split('||'), platform), id),
        String(other.can),
      ).toBe(404);
    const another = scope === 'device:device:page' ? 'message:message:page' : 'device:device:page';
    expect(await asks(await tokenOf(colleague, [another]), id), table).toBe(404);
    // Nobody has any number of keys.
    await app.context.unscoped((db) => sql`update account_api_token set revoked_at = now()`.execute(db));
  }
});

test('every table that holds a file is an owner, or has a reason', async () => {
  const reasons: Readonly<Record<string, string>> = {
    file_upload: 'of one person’s own upload',
    firmware_package: 'a view of rollout_package, for servers of the version before',
    signing_job: 'what is to be signed is downloaded by who may approve that, what was signed by who asked for it',
    work: 'downloaded through the task centre, by who asked for it',
  };
  const found = await app.context.unscoped((db) =>
    sql<{
      name: string;
    }>`select table_name as name from information_schema.columns where column_name = 'file_id' and table_schema = 'public'`.execute(db),
  );
  const without = found.rows.filter(({ name }) => !owners.some(({ table }) => table === name) && !reasons[name]);
  expect(without).toEqual([]);
});

/** Fields of an input that are a file, at its first level. */
const fileFields = (call: Call) =>
  call.input instanceof z.ZodObject
    ? Object.entries(call.input.shape).flatMap(([name, schema]) => (metadataOf(schema as z.ZodType)?.ref === 'file' ? [name] : []))
    : [];
const taking = allCalls.filter((call) => fileFields(call).length > 0);

test.each(taking.map((call) => [call.path, call] as const))('%s takes no file of another person', async (_, call) => {
  const id = await makeFile(app, maker, bank);
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries((call.input as z.ZodObject).shape)) {
    const entity = metadataOf(schema as z.ZodType)?.ref;
    if (entity === 'product') made[name] = await makeProduct(app, bank);
    else if (entity === 'file') made[name] = id;
    else
      for (const value of ['1.0', 'DI', 'ar', 'good', true, null, 1])
        if ((schema as z.ZodType).safeParse(value).success) made[name] ??= value;
  }
  const admin = await app.person('platformAdmin', app.root, call.platform ?? 'centre');
  for (const who of [colleague, admin]) {
    const answer = await who.send(call, made);
    expect([403, 404, 1003], `${answer.code} ${JSON.stringify(answer.body)}`).toContain(answer.code);
  }
});

describe('another system’s key', () => {
  const own = allCalls.filter((call) => call.can === 'session');
  test.each(own.map((call) => [call.path, call] as const))('%s is a person’s own', async (_, call) => {
    const robot = await tokenOf(maker, ['device:device:page']);
    const answer = await robot.send(call, {});
    await app.context.unscoped((db) => sql`update account_api_token set revoked_at = now()`.execute(db));
    // Who asks by itself what the key was given refuses here for the missing id.
    if (call.tokens) expect(answer.code).not.toBe(200);
    else expect(answer.body?.fault).toBe('FORBIDDEN');
  });
});
