import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { makeApk } from '@mooring/apk/apk.factory';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { authAuditCalls, realNameCalls } from '@mooring/contract/account/real-name-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { preTaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { helpArticleCalls } from '@mooring/contract/help/article';
import { countCalls } from '@mooring/contract/inventory/count';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { receiptCalls } from '@mooring/contract/inventory/receipt';
import { saleCalls } from '@mooring/contract/inventory/sale';
import { stockCalls } from '@mooring/contract/inventory/stock';
import type { Call } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { moduleKind } from '@mooring/contract/module/kind';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramBatchCalls, paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { patchPackageCalls, patchPreTaskCalls, patchTaskCalls } from '@mooring/contract/patch/calls';
import { patchKind } from '@mooring/contract/patch/kind';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { generalKinds } from '@mooring/contract/task/general-kinds';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import { ADMIN, type Api, api, seal, signIn } from './api.ts';
import { uploadFile } from './estate.ts';
import { listApp } from './list-app.ts';
import { addPublished } from './published.ts';
import type { Demo } from './stack.ts';

/** Addresses by the pattern of their route. */
type Addresses = Readonly<Record<string, readonly string[]>>;
type Adding = Pick<Call, 'path' | 'method'>;

interface Estate {
  readonly url: string;
  readonly admin: Api;
  readonly productId: number;
  readonly sns: readonly string[];
}

const idOf = async (admin: Api, call: Adding, input: object): Promise<number> =>
  ((await admin.call(call as Call, input)) as { id: number }).id;
const filled = (pattern: string, id: number) => ({ [pattern]: [pattern.replace(':id', String(id))] });
/** A release that goes to nobody yet. */
const draft = (admin: Api, call: Adding, subject: object) =>
  idOf(admin, call, { name: 'Not yet', scope: { releaseScope: '0' }, release: false, ...subject });

interface Packaged {
  readonly kind: TaskKind & { readonly screens: { readonly packages: string } };
  readonly packages: { readonly add: Adding; readonly detail: Adding };
  readonly tasks: { readonly add: Adding };
  readonly preTasks?: { readonly add: Adding };
  readonly fileKind: string;
  readonly more?: object;
}
const packaged: readonly Packaged[] = [
  { kind: firmwareKind, packages: packageCalls, tasks: taskCalls, preTasks: preTaskCalls, fileKind: '5' },
  { kind: moduleKind, packages: modulePackageCalls, tasks: moduleTaskCalls, fileKind: '6', more: { name: 'sp' } },
  { kind: patchKind, packages: patchPackageCalls, tasks: patchTaskCalls, preTasks: patchPreTaskCalls, fileKind: '5' },
];

async function packagesAndTheirReleases({ url, admin, productId }: Estate): Promise<Addresses> {
  const found: Record<string, readonly string[]> = {};
  for (const { kind, packages, tasks, preTasks, fileKind, more } of packaged) {
    const { screens } = kind;
    const fileId = await uploadFile(url, ADMIN, fileKind, 'sp.gz', gzipSync(randomBytes(4000)));
    const packageId = await addPublished(admin, packages as never, { productId, version: '9.0.0', fileId, ...more });
    const taskId = await draft(admin, tasks.add, { packageId });
    Object.assign(
      found,
      filled(`${screens.packages}/:id`, packageId),
      filled(`${screens.task}/:id`, taskId),
      filled(`${screens.task}/:id/edit`, taskId),
      preTasks ? filled(`${screens.task}/pre/:id/edit`, await draft(admin, preTasks.add, { packageId })) : {},
    );
  }
  return found;
}

async function paramSet({ url, admin, sns }: Estate): Promise<number> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('{"currency":"EUR"}'), `${sns[0]}.json`);
  zip.end();
  const bytes = await buffer(zip.outputStream as unknown as NodeJS.ReadableStream);
  return idOf(admin, paramBatchCalls.add, { name: 'May prices', fileId: await uploadFile(url, ADMIN, '9', 'may.zip', bytes) });
}

async function settingsAndTheirReleases(estate: Estate): Promise<Addresses> {
  const { admin } = estate;
  const setId = await paramSet(estate);
  const templateId = await idOf(admin, paramTemplateCalls.add, { name: 'Till', fields: [{ key: 'host', type: 'text' }] });
  const generalId = await draft(admin, androidTaskCalls.add, { content: { templateId, values: { host: 'pay.example' } } });
  const found = {
    ...filled('/post/paramfile/detail/:id', setId),
    ...filled('/pos/paramstemplate/:id', templateId),
    ...filled('/pos/paramstemplate/detail/:id', templateId),
    ...filled('/task/update/:id', generalId),
    ...filled('/task/detail/:id', generalId),
    '/task/create/:kind': generalKinds.map(({ kind }) => `/task/create/${kind}`),
  };
  const contents = {
    appPermission: [appPermissionCalls, { list: 'print', apps: ['com.example.pay'] }],
    networkConfig: [networkConfigCalls, { setting: 'wifiWhitelist', ssids: ['head office'] }],
    paramFile: [paramTaskCalls, { setId }],
  } as const;
  for (const [name, [calls, content]] of Object.entries(contents)) {
    const screen = releaseKinds.find(({ kind }) => kind === name)?.screens.task ?? name;
    const taskId = await draft(admin, calls.add, { content });
    Object.assign(found, filled(`${screen}/:id`, taskId), filled(`${screen}/:id/edit`, taskId));
  }
  return found;
}

async function shownContents({ url, admin }: Estate, picture: Buffer): Promise<Addresses> {
  const fileId = await uploadFile(url, ADMIN, '1', 'summer.png', picture);
  const tile = { id: 'clock', x: 0, y: 0, w: 2, h: 1, kind: 'clock' };
  const layout = { columns: 4, rows: 6, width: 720, height: 1280, pages: [{ tiles: [tile] }] };
  const made = {
    '/pos/advert': await idOf(admin, advertCalls.add, { name: 'Summer', place: 'idle', items: [{ fileId }] }),
    '/pos/customization': await idOf(admin, customizationCalls.add, { name: 'Quiet', volume: 10 }),
    '/diyDesktop': await idOf(admin, desktopCalls.add, { name: 'Till', layout }),
  };
  return Object.assign({}, ...Object.entries(made).flatMap(([list, id]) => [filled(`${list}/:id`, id), filled(`${list}/detail/:id`, id)]));
}

/** A release that waits for those who approve it. From now on every release of modules does. */
async function approval({ url, admin, sns }: Estate, manager: Api, packageId: number): Promise<Addresses> {
  await manager.call(auditConfigCalls.add, { deptId: 1, taskType: '2', enabled: true });
  const rings = [{ sns: [sns[0]], openAt: 0 }, { sns: [sns[1]], openAt: 0 }, {}];
  await draft(admin, moduleTaskCalls.add, { name: 'Waits', packageId, delivery: { rings }, release: true });
  const [row] = (await admin.call(approvalCalls.page)).content;
  if (!row) throw new Error(`no approval at ${url}`);
  const at = `${row.taskType}/process/${row.taskClass}/${row.taskId}/${row.id}`;
  const pattern = ':taskType/process/:taskClass/:taskId?/:taskAuditId?';
  return { [`/approveTask/${pattern}`]: [`/approveTask/${at}`], [`/approveList/${pattern}`]: [`/approveList/${at}`] };
}

/** Somebody hands in who they are. */
async function identity(url: string, password: string, manager: Api, picture: Buffer): Promise<Addresses> {
  const olga = api(url, await signIn(url, 'olga.manager', password), 'centre');
  const image = picture.toString('base64');
  const pictureId = () => idOf(olga, realNameCalls.addPicture, { image });
  await olga.call(realNameCalls.person, {
    name: 'Olga Brandt',
    documentKind: 'passport',
    number: await seal(url, 'realName', 'P-7712349876'),
    validUntil: new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10),
    front: await pictureId(),
    back: await pictureId(),
  });
  const [row] = (await manager.call(authAuditCalls.page)).content;
  return {
    ...filled('/authAudit/:id', row?.id ?? 0),
    '/auth/:authType': ['/auth/person', '/auth/org'],
    '/wating/:path': ['/wating/register'],
  };
}

/** A merchant with a shop, in which a terminal stands that was worked on. */
async function merchantOf(admin: Api, { id, deptId }: { id: number; deptId: number }): Promise<Addresses> {
  const merchantId = await idOf(admin, merchantCalls.add, { number: 'M-9', name: 'Corner Bakery', deptId });
  const openingHours = [{ day: 1, from: '09:00', to: '18:00' }];
  const shopId = await idOf(admin, shopCalls.add, { merchantId, number: 'S-1', name: 'Harbour', openingHours });
  await admin.call(merchantCalls.assign, { of: { ids: [id] }, merchantId, shopId });
  const parts = [{ name: 'Printer roller', quantity: 1, price: '12.50' }];
  await admin.call(maintenanceCalls.add, { deviceId: id, at: new Date().toISOString(), found: 'Paper jam', parts });
  return {
    ...filled('/merchant/:id', merchantId),
    ...filled('/merchant/shop/:id', shopId),
    '/merchant/detail/:deviceId': [`/merchant/detail/${id}`],
  };
}

/** A terminal that is to be repaired, with what was said about it. */
async function orderOf(manager: Api, { id: deviceId }: { id: number }): Promise<Addresses> {
  const description = 'Prints half a receipt, then stops';
  const id = await idOf(manager, orderCalls.add, { deviceId, partnerId: 1, fault: 'printer', description, dueOn: '2999-01-01' });
  await manager.call(orderCalls.say, { id, text: 'The shop has no other till.' });
  return { ...filled('/orderDetail/:id', id), ...filled('/orderEdit/:id', id) };
}

/** An app of the platform with a version that waits for its review. */
async function appOf({ url, admin, productId }: Estate): Promise<Addresses> {
  await admin.call(developerCalls.apply, { contactName: 'Ann', email: 'ann@example.com' });
  const own = await admin.call(developerCalls.own);
  await admin.call(developerCalls.accept, { id: own?.id ?? 0 });
  const fileId = await uploadFile(url, ADMIN, '4', 'till.apk', await makeApk({ packageName: 'com.example.till', versionName: '1.0' }));
  const { id, appId, listing } = await admin.call(appVersionCalls.add, { fileId });
  await admin.call(appVersionCalls.update, { id, listing, productIds: [productId] });
  return { ...filled('/app/detail/:id', appId), ...filled('/app/version/:id', id), ...filled('/app/version/:id/edit', id) };
}

/** A subscription of one organisation to the app of another beside it. */
async function subscriptionOf({ url, admin, productId }: Estate, password: string): Promise<Addresses> {
  const token = await signIn(url, 'olga.manager', password);
  const { id } = await api(url, token, 'centre').call(developerCalls.apply, { contactName: 'Olga', email: 'olga@example.com' });
  await admin.call(developerCalls.accept, { id });
  const listed = { packageName: 'com.example.other', versionCode: 1, versionName: '1.0' };
  const appId = await listApp({ url, admin, token, productId, ...listed });
  const taker = api(url, await signIn(url, 'hui.manager', password), 'centre');
  const made = await taker.call(appSubscriptionCalls.add, { appId });
  return { '/appSub/:id/:appKey/:deptId': [`/appSub/${made.id}/${made.appKey}/${made.deptId}`] };
}

/** A rule with those who hear of it, which finds the terminal silent, and a fence. */
async function watched(admin: Api, deptId: number): Promise<void> {
  const receivers = await idOf(admin, alarmReceiverCalls.add, { name: 'Night desk', deptId, emails: ['desk@example.com'] });
  const rule = { name: 'Silent tills', deptId, kind: 'silent', params: { minutes: 1 }, forMinutes: 0, receiverIds: [receivers] };
  await admin.call(alertRuleCalls.add, rule);
  const place = { shape: 'circle', lat: 52.52, lon: 13.405, radius: 1000 } as const;
  await admin.call(geofenceCalls.add, { name: 'Old town', deptId, ...place, receiverIds: [receivers] });
}

/** New terminals in stock, of which some went to another organisation, and one to a buyer. */
async function shipmentOf(manager: Api, { productId }: { productId: number }): Promise<Addresses> {
  const sns = ['SHIP-0001', 'SHIP-0002', 'SHIP-0003'];
  await manager.call(stockCalls.warehouse, { sns, productId, document: 'PO-1' });
  const [target] = await manager.call(dispatchCalls.targets, {});
  const toId = target?.id ?? 0;
  const { id } = await manager.call(dispatchCalls.add, { toId, number: 'D-1', sns: sns.slice(0, 2) });
  await manager.call(dispatchCalls.transfer, { id: id ?? 0 });
  const [receipt] = (await manager.call(receiptCalls.page, {})).content;
  const stocked = (await manager.call(stockCalls.page, { criteria: { text: 'SHIP-0003' } })).content[0];
  await manager.call(saleCalls.add, { deviceId: stocked?.id ?? 0, buyer: 'Corner Bakery', soldAt: '2026-01-01', price: '99.50' });
  const countId = await idOf(manager, countCalls.save, { deptId: 1, sns: ['SHIP-0003', 'SHIP-0009'] });
  return {
    ...filled('/inventory/device/page/count/:id', countId),
    ...filled('/device/dispatch/page/:id', id ?? 0),
    ...filled('/device/receipt/page/:id', receipt?.id ?? 0),
  };
}

/** An outside IoT platform that nothing goes to yet. */
async function platformOf(manager: Api): Promise<Addresses> {
  const reached = { kind: 'https', endpoint: 'https://1.1.1.1/in', signIn: 'token', secret: 'token' };
  const id = await idOf(manager, iotCustomerCalls.add, { name: 'Operations cloud', deptId: 1, ...reached });
  return { ...filled('/customerConfig/:id', id), ...filled('/customerConfig/:id/edit', id) };
}

/** A group of one terminal. */
async function groupOf(admin: Api, { id, deptId }: { id: number; deptId: number }): Promise<number> {
  const groupId = await idOf(admin, deviceGroupCalls.add, { name: 'Front desks', kind: 'static', deptId });
  await admin.call(deviceGroupCalls.addMembers, { of: { ids: [id] }, groupId });
  return groupId;
}

/** A key that two people made, and a signature that waits. */
async function keyOf({ url, admin, password }: { url: string; admin: Api; password: string }): Promise<Addresses> {
  const [bank] = await admin.call(deptCalls.search, { text: 'Harbour Bank' });
  const storeId = await idOf(admin, keyStoreCalls.add, { name: 'Payment apps', deptId: bank?.id });
  await admin.call(signingKeyCalls.generate, { storeId, name: 'Payments 2030', algorithm: 'p256', subject: 'CN=Payments, O=Harbour Bank' });
  const second = api(url, await signIn(url, 'sam.signing', password), 'centre');
  const change = (await second.call(keyChangeCalls.page, {})).content[0];
  await second.call(keyChangeCalls.approve, { id: change?.id });
  return filled('/keypairAdd/:id', change?.keyId ?? 0);
}

/** An article of the manual, as its editors have it. */
async function articleOf(manager: Api): Promise<Addresses> {
  const id = (await manager.call(helpArticleCalls.page, { criteria: { text: 'notices' } })).content[0]?.id ?? 0;
  const help = { '/help/:article?': ['/help', '/help/notices', '/help/nowhere'] };
  return { ...help, ...filled('/helpCenterConsole/:id', id), ...filled('/helpCenterConsole/:id/edit', id) };
}

/** Makes a row for every page that shows one, and says where those pages are. */
export async function everyRow({ stack: { url }, admin, password }: Demo): Promise<Addresses> {
  const manager = api(url, await signIn(url, 'admin', ADMIN, 'manager'), 'manager', 1);
  // Codes that would be read wherever rights are shown one by one.
  await manager.call(tokenCalls.add, { name: 'Ledger export', scopes: ['device:all:page', 'audit:footprint:end'] });
  await manager.call(systemSettingCalls.unauthenticated, { withheld: ['device:all:export', 'firmware:task:export'] });
  const [device, other] = (await admin.call(deviceCalls.page, { criteria: { status: '2' } })).content;
  const ofOne = (await admin.call(deviceCalls.page, { criteria: { productId: device?.productId } })).content;
  if (!device || !other) throw new Error('the demo has no terminals');
  const estate = { url, admin, productId: device.productId, sns: ofOne.map(({ sn }) => sn) };
  const roleId = async (who: Api) => (await who.call(roleCalls.page)).content[0]?.id ?? 0;
  const picture = await sharp({ create: { width: 64, height: 40, channels: 3, background: '#0a6a74' } })
    .png()
    .toBuffer();
  const packages = await packagesAndTheirReleases(estate);
  const modulePackage = Number(packages[`${moduleKind.screens.packages}/:id`]?.[0]?.split('/').at(-1));
  await watched(admin, device.deptId);
  return {
    ...filled('/sys/role/:id', await roleId(admin)),
    ...filled('/managerSys/role/:id', await roleId(manager)),
    ...filled('/device/deviceDetail/:id', device.id),
    ...filled('/device/hardwareDetail/:id', (await admin.call(hardwareTestCalls.add, { deviceIds: [device.id] })).id),
    ...filled('/device/product/:id', device.productId),
    ...(await merchantOf(admin, device)),
    ...(await shipmentOf(manager, device)),
    ...(await orderOf(manager, device)),
    ...(await platformOf(manager)),
    ...(await appOf(estate)),
    ...(await subscriptionOf(estate, password)),
    ...filled('/device/deviceGrouping/:id', await groupOf(admin, device)),
    ...filled('/device/product/:id/edit', device.productId),
    ...(await keyOf({ url, admin, password })),
    ...(await articleOf(manager)),
    ...filled('/notice/:id', await idOf(manager, noticeCalls.add, { title: 'Works on Sunday', body: 'From **two** to four.' })),
    ...packages,
    ...(await settingsAndTheirReleases(estate)),
    ...(await shownContents(estate, picture)),
    ...(await approval(estate, manager, modulePackage)),
    ...(await identity(url, password, manager, picture)),
  };
}
