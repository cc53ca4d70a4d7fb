import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { advertTaskCalls, customizationTaskCalls, desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { preTaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import { allCalls } from '@mooring/contract/index';
import { jobCalls } from '@mooring/contract/job/calls';
import type { Call } from '@mooring/contract/kit/call';
import { hasMetadata } from '@mooring/contract/kit/schema';
import { labelCalls } from '@mooring/contract/language/label-calls';
import { moduleTaskCalls } from '@mooring/contract/module/calls';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { businessUnitCalls, productLineCalls } from '@mooring/contract/org/unit-calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { patchPreTaskCalls, patchTaskCalls } from '@mooring/contract/patch/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { industryCalls, productCategoryCalls } from '@mooring/contract/product/category-calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { dictCalls } from '@mooring/contract/settings/dict-calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMaker } from '../../src/modules/device/maker.factory.ts';
import { makeDevices, makeFile, makePackage, makeParamSet, makeParamTemplate, makeProduct, makeShown } from '../firmware.ts';
import { type RevisionCase as Case, helpCases, idOf, noticeCases, placeCases, type RevisionRow as Row } from '../revision-cases.ts';
import { type Client, type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
let admin: Client;
let managing: Client;

let pictureId = 0;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  managing = await app.person('platformAdmin', app.root, 'manager');
  pictureId = await makeFile(app, admin, app.root);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind: '1', name: 'a.png' }).where('id', '=', pictureId).execute());
});
afterAll(() => app.stop());

const asAdmin = () => admin;
const asManaging = () => managing;
const found = async (client: Client, page: Call, id: number): Promise<Row> => {
  const { content } = (await client.call(page as never, { page: { size: 100 } } as never)) as { content: Row[] };
  const row = content.find((one) => one.id === id);
  if (!row) throw new Error(`${page.path} has no row ${id}`);
  return row;
};
let count = 0;
const name = () => `Row ${++count}`;

/** Releases of every kind, with what they send. */
let sent: object = {};
const packageOf = (content: string) => async () => {
  const packageId = await makePackage(app, admin, app.root, await makeProduct(app, app.root), '9.0');
  await app.context.unscoped((db) => sql`update rollout_package set content = ${content} where id = ${packageId}`.execute(db));
  return { packageId };
};
const releases: readonly (readonly [TaskCalls, () => Promise<object>])[] = [
  [taskCalls, packageOf('firmware')],
  [preTaskCalls, packageOf('firmware')],
  [moduleTaskCalls, packageOf('module')],
  [patchTaskCalls, packageOf('patch')],
  [patchPreTaskCalls, packageOf('patch')],
  [appPermissionCalls, async () => ({ content: { list: 'print', apps: ['com.a.one'] } })],
  [networkConfigCalls, async () => ({ content: { setting: 'hotspot', hotspot: true } })],
  [advertTaskCalls, async () => ({ content: { contentId: await makeShown(app, app.root, 'desktop_advert', name(), true) } })],
  [customizationTaskCalls, async () => ({ content: { contentId: await makeShown(app, app.root, 'desktop_customization', name(), true) } })],
  [desktopTaskCalls, async () => ({ content: { contentId: await makeShown(app, app.root, 'desktop_desktop', name(), true) } })],
  [softAppTaskCalls, async () => ({ content: { action: 'uninstall', packageName: 'com.a.one' } })],
  [paramTaskCalls, async () => ({ content: { setId: await makeParamSet(app, app.root) } })],
  [androidTaskCalls, async () => ({ content: { templateId: await makeParamTemplate(app, app.root), values: { host: 'a' } } })],
];

const sheet = { columns: 4, rows: 5, width: 720, height: 1280 };
const cases: readonly Case[] = [
  {
    update: advertCalls.update,
    make: () => makeShown(app, app.root, 'desktop_advert', name()),
    input: (word) => ({ name: `Advert ${word}`, place: 'idle', items: [{ fileId: pictureId }] }),
    read: (id) => admin.call(advertCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: customizationCalls.update,
    make: () => makeShown(app, app.root, 'desktop_customization', name()),
    input: (word) => ({ name: `Look ${word}`, remark: word }),
    read: (id) => admin.call(customizationCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: desktopCalls.update,
    make: () => makeShown(app, app.root, 'desktop_desktop', name()),
    input: (word) => ({ name: `Desktop ${word}`, layout: { ...sheet, pages: [{ tiles: [] }] } }),
    read: (id) => admin.call(desktopCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: deptCalls.update,
    make: async () => idOf(await admin.call(deptCalls.add, { parentId: app.root.id, name: name() })),
    input: (word) => ({ name: `Org ${word} ${count}`, remark: word }),
    read: (id) => admin.call(deptCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: productLineCalls.update,
    make: async () => idOf(await managing.call(productLineCalls.add, { name: name() })),
    input: (word) => ({ name: `Line ${word}` }),
    read: (id) => found(managing, productLineCalls.page, id),
    as: asManaging,
  },
  {
    update: businessUnitCalls.update,
    make: async () => idOf(await managing.call(businessUnitCalls.add, { name: name(), productLineId: 2 })),
    input: (word) => ({ name: `Region ${word}` }),
    read: (id) => found(managing, businessUnitCalls.page, id),
    as: asManaging,
  },
  {
    update: memberCalls.update,
    make: async () => (await app.person('keyCustodian', app.root)).userId,
    input: (word) => ({ userName: `Person ${word}`, deptId: app.root.id, userType: '2', roleIds: [2] }),
    read: (id) => admin.call(memberCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: roleCalls.update,
    make: async () => idOf(await admin.call(roleCalls.add, { name: name(), type: '2', platforms: ['centre'], menus: ['device'] })),
    input: (word) => ({ name: `Role ${word} ${count}`, type: '2', platforms: ['centre'], menus: ['device'] }),
    read: (id) => admin.call(roleCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: paramTemplateCalls.update,
    make: async () => idOf(await admin.call(paramTemplateCalls.add, { name: name(), fields: [{ key: 'host', type: 'text' }] })),
    input: (word) => ({ name: `Template ${word}`, fields: [{ key: word, type: 'text' }] }),
    read: (id) => admin.call(paramTemplateCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: blackoutCalls.update,
    make: async () =>
      idOf(await admin.call(blackoutCalls.add, { name: name(), fromDay: '2126-12-01', toDay: '2126-12-02', deptId: app.root.id })),
    input: (word) => ({ name: `Days ${word}`, fromDay: '2126-12-01', toDay: '2126-12-02' }),
    read: (id) => admin.call(blackoutCalls.detail, { id }),
    as: asAdmin,
  },
  ...placeCases(() => ({ app, admin, managing })),
  ...noticeCases(() => managing),
  ...helpCases(() => managing),
  {
    update: deviceGroupCalls.update,
    make: async () => idOf(await admin.call(deviceGroupCalls.add, { name: name(), kind: 'static', deptId: app.root.id })),
    input: (word) => ({ name: `Group ${word}` }),
    read: (id) => admin.call(deviceGroupCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: jobCalls.update,
    make: async () => idOf((await managing.call(jobCalls.page, { page: { size: 100 } })).content.find((one) => one.name === 'stats.prune')),
    input: (word) => ({ schedule: { every: 'day', at: `0${word.length % 10}:15` } }),
    read: (id) => managing.call(jobCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: productCalls.update,
    make: () => makeProduct(app, app.root),
    input: (word) => ({ name: `Product ${word}`, category: 'smartPos', firmId: null, industry: '', networks: [], packageKinds: [] }),
    read: (id) => managing.call(productCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: firmCalls.update,
    make: async () => idOf(await managing.call(firmCalls.add, { code: `F${++count}`, name: name() })),
    input: (word) => ({ code: `F${word}`.replace(/\W/g, ''), name: `Firm ${word}` }),
    read: (id) => managing.call(firmCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: productCategoryCalls.update,
    make: async () =>
      idOf(await managing.call(productCategoryCalls.add, { value: `kind${++count}`, labels: { en: name() }, picture: 'mPos' })),
    input: (word) => ({ labels: { en: `Kind ${word}` }, picture: 'mPos' }),
    read: (id) => managing.call(productCategoryCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: industryCalls.update,
    make: async () => idOf(await managing.call(industryCalls.add, { value: `trade${++count}`, labels: { en: name() } })),
    input: (word) => ({ labels: { en: `Trade ${word}` } }),
    read: (id) => managing.call(industryCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: deviceCalls.update,
    make: async () => (await makeDevices(app, app.root, await makeProduct(app, app.root), [`REV${++count}`]))[0] ?? 0,
    input: (word) => ({ name: `Terminal ${word}` }),
    read: (id) => admin.call(deviceCalls.detail, { id }),
    as: asAdmin,
  },
  {
    update: regCalls.ruleUpdate,
    make: async () => idOf(await admin.call(regCalls.ruleAdd, { name: name(), deptId: app.root.id })),
    input: (word) => ({ name: `Rule ${word}`, deptId: app.root.id }),
    read: (id) => found(admin, regCalls.rules, id),
    as: asAdmin,
  },
  {
    update: regCalls.factoryUpdate,
    make: async () => {
      maker = (await makeMaker()).pem;
      return idOf(await admin.call(regCalls.factoryAdd, { name: name(), certificate: maker, deptId: app.root.id }));
    },
    input: (word) => ({ name: `Factory ${word}`, certificate: maker, deptId: app.root.id }),
    read: (id) => found(admin, regCalls.factories, id),
    as: asAdmin,
  },
  ...releases.map(
    ([calls, sends]): Case => ({
      update: calls.edit,
      make: async () => {
        sent = await sends();
        return idOf(await admin.call(calls.add as typeof taskCalls.add, { name: name(), ...sent, scope: { releaseScope: '0' } } as never));
      },
      input: (word) => ({ name: `Release ${word}`, ...sent, scope: { releaseScope: '0' } }),
      read: (id) => admin.call(calls.detail, { id }),
      as: asAdmin,
    }),
  ),
  {
    update: dictCalls.update,
    make: async () => idOf(await managing.call(dictCalls.add, { code: `list${++count}`, name: name() })),
    input: (word) => ({ name: `List ${word}` }),
    read: (id) => found(managing, dictCalls.page, id),
    as: asManaging,
  },
  {
    update: dictCalls.entryUpdate,
    make: async () => {
      const dictId = idOf(await managing.call(dictCalls.add, { code: `list${++count}`, name: name() }));
      return idOf(await managing.call(dictCalls.entryAdd, { dictId, value: 'a', labels: { en: 'A' } }));
    },
    input: (word) => ({ value: 'a', labels: { en: word } }),
    read: (id) => managing.call(dictCalls.entry, { id }),
    as: asManaging,
  },
  {
    update: downloadDomainCalls.update,
    make: async () =>
      idOf(await managing.call(downloadDomainCalls.add, { name: name(), url: `https://d${++count}.example.com`, deptId: app.root.id })),
    input: (word) => ({ name: `Domain ${word}`, url: `https://d${count}.example.com`, deptId: app.root.id }),
    read: (id) => managing.call(downloadDomainCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: auditConfigCalls.update,
    make: async () => idOf(await managing.call(auditConfigCalls.add, { deptId: (await app.dept(name())).id, taskType: '1' })),
    input: () => {
      isAsked = !isAsked;
      return { enabled: isAsked };
    },
    read: (id) => managing.call(auditConfigCalls.detail, { id }),
    as: asManaging,
  },
  {
    update: webhookCalls.update,
    make: async () =>
      idOf(await managing.call(webhookCalls.add, { name: name(), url: 'https://93.184.216.34/x', events: ['*'], deptId: app.root.id })),
    input: (word) => ({ name: `Hook ${word}`, url: 'https://93.184.216.34/x', events: ['*'], deptId: app.root.id }),
    read: (id) => managing.call(webhookCalls.detail, { id }),
    as: asManaging,
  },
];
let maker = '';
let isAsked = true;
/** They change something, but not from a form that somebody else's save could have made old. */
const noForms = new Set([
  '/sys/dept/door/save', // one switch: what it is turned to is what is meant
  '/task/audit/returnToUpdate', // sends back for an edit, and edits nothing
  '/sys/user/editAccount', // one's own
  '/sys/user/editName', // one's own
  '/form/individuation/config/save', // one's own
  '/form/individuation/view/update', // one's own
  '/inventory/count/save', // what was counted is a row of its own each time
  '/device/save', // a new terminal each time
]);
/** By its name or by its path: "update", "entryUpdate", "editName", "…/save". */
const edits = (call: Call) =>
  !call.reads && (/(^|[a-z])(update|edit)$/i.test(call.name) || /\/(save|(update|edit)[^/]*)$/.test(call.path)) && !noForms.has(call.path);

/** They edit nothing, and are bound to what was read: tried where they live. */
const bound = new Set([
  ...['publish', 'schedule'].map((act) => `/notice/${act}`),
  '/helpArticle/publish',
  '/helpArticle/restore',
  '/helpArticle/takeNewer',
  '/appRelease/submit',
  '/app/subscribe/term',
  ...['approveCosts', 'declineCosts', 'acceptWarranty', 'disputeWarranty'].map((act) => `/order/${act}`),
]);

test('every call that edits a row takes the revision that its form was filled from, and stands below', () => {
  const editing = allCalls.filter((call) => edits(call) && 'id' in shapeOf(call));
  expect(editing.length).toBeGreaterThan(10);
  expect(editing.filter((call) => !hasMetadata(call.input, 'revises')).map((call) => call.path)).toEqual([]);
  const tried = new Set([...cases.map((one) => one.update.path), ...bound]);
  expect(allCalls.filter((call) => hasMetadata(call.input, 'revises') && !tried.has(call.path)).map((call) => call.path)).toEqual([]);
});

test('every call that edits something without an id takes what its form was filled from', () => {
  const editing = allCalls.filter((call) => edits(call) && !('id' in shapeOf(call)));
  expect(editing.length).toBeGreaterThan(10);
  expect(editing.filter((call) => !('seen' in shapeOf(call))).map((call) => call.path)).toEqual([]);
});
const shapeOf = (call: Call) => (call.input as unknown as { shape?: Record<string, unknown> }).shape ?? {};

describe.each(cases.map((one) => [one.update.path, one] as const))('%s', (_path, { update, make, input, read, as }) => {
  const save = (id: number, revision: number | undefined, word: string) =>
    as().send(update as never, { id, ...(revision === undefined ? {} : { revision }), ...input(word) } as never);

  test('of two tabs the second is told, and what the first saved stands', async () => {
    const id = await make();
    const { revision } = await read(id);
    expect(await save(id, revision, 'one')).toMatchObject({ code: 200 });
    const after = await read(id);
    expect(after.revision).not.toBe(revision);
    const late = await save(id, revision, 'two');
    expect([late.code, late.body]).toEqual([409, expect.objectContaining({ fault: 'OVERTAKEN' })]);
    expect(await read(id)).toEqual(after);
    expect((await save(id, after.revision, 'two')).code).toBe(200);
  });

  test('of two at once one is told; who names no revision overwrites', async () => {
    const id = await make();
    const { revision } = await read(id);
    if (update.tx === 'call') {
      const codes = (await Promise.all([save(id, revision, 'left'), save(id, revision, 'right')])).map((one) => one.code);
      expect(codes.sort()).toEqual([200, 409]);
    }
    expect((await save(id, undefined, 'third')).code).toBe(200);
  });
});

test('a setting that somebody else saved meanwhile is not overwritten', async () => {
  const seen = async () =>
    (await managing.call(systemSettingCalls.findByCriteria, { criteria: { type: 'project' } }))[0]?.updatedAt ?? null;
  const first = await seen();
  const save = (at: string | null | undefined, supportWebUrl: string) =>
    managing.send(systemSettingCalls.project, { supportWebUrl, ...(at === undefined ? {} : { seen: at }) });
  expect((await save(first, 'https://one.example.com')).code).toBe(200);
  expect((await save(first, 'https://two.example.com')).code).toBe(409);
  expect((await save(await seen(), 'https://two.example.com')).code).toBe(200);
  expect((await save(undefined, 'https://three.example.com')).code).toBe(200);
});

test('nor is a text of a language', async () => {
  const key = 'kit.save';
  const now = async () =>
    (await managing.call(labelCalls.page, { criteria: { langCode: 'de', text: key }, page: { size: 100 } })).content.find(
      (one) => one.key === key,
    )?.text ?? null;
  const save = (text: string, seen?: string | null) =>
    managing.send(labelCalls.edit, { langCode: 'de', key, text, ...(seen === undefined ? {} : { seen }) });
  expect(await now()).toBeNull();
  const codes = (await Promise.all([save('Sichern', null), save('Speichern', null)])).map((one) => one.code);
  expect(codes.sort()).toEqual([200, 409]);
  const first = await now();
  expect((await save('Merken', null)).body?.fault).toBe('OVERTAKEN');
  expect(await now()).toBe(first);
  expect((await save('Merken', first)).code).toBe(200);
  expect((await save('Ablegen', first)).code).toBe(409);
  expect((await save('Ablegen')).code).toBe(200);
});

test('nor is a policy', async () => {
  const now = () => managing.call(policyCalls.pwdDetail, { productLineId: 2 });
  const first = await now();
  const save = (passwordMinLength: number, seen: typeof first) =>
    managing.send(policyCalls.pwdEdit, { productLineId: 2, policy: { ...first, passwordMinLength }, seen });
  expect((await save(9, first)).code).toBe(200);
  expect((await save(10, first)).code).toBe(409);
  expect((await save(10, await now())).code).toBe(200);
});
