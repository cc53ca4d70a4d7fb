import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { sdkCalls } from '@mooring/contract/app/sdk';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { helpArticleCalls } from '@mooring/contract/help/article';
import { helpCategoryCalls } from '@mooring/contract/help/category';
import { saleCalls } from '@mooring/contract/inventory/sale';
import { syncSourceCalls } from '@mooring/contract/inventory/sync';
import type { Call } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { makeReceiver, makeRule } from '../src/modules/alert/alert.factory.ts';
import { makeFence } from '../src/modules/geofence/geofence.factory.ts';
import { makeMerchant, makeShop } from '../src/modules/merchant/merchant.factory.ts';
import { insertProfile } from '../src/modules/signing/signing.factory.ts';
import { makeAppRow, makeSdk, makeSubscription } from './apps.ts';
import { makeDevices, makeProduct } from './firmware.ts';
import { makeIotRows, makeShipments, makeSyncRows } from './shipments.ts';
import type { Client, TestApp } from './test-app.ts';

export interface RevisionRow {
  readonly id: number;
  readonly revision: number;
}
export interface RevisionCase {
  readonly update: Call;
  /** Makes a row and says its id. */
  readonly make: () => Promise<number>;
  /** A whole input of the update, but id and revision; the word tells one save from another. */
  readonly input: (word: string) => Record<string, unknown>;
  /** Reads what the update answers again. */
  readonly read: (id: number) => Promise<RevisionRow>;
  readonly as: () => Client;
}

export const idOf = (made: unknown): number => (made as { id?: number; row?: RevisionRow }).id ?? (made as { row: RevisionRow }).row.id;

let count = 0;
/** What the SDK that was made last is for. */
let sdk = { productId: 0, fileId: 0 };
/** Notices. */
export const noticeCases = (manager: () => Client): readonly RevisionCase[] => [
  {
    update: noticeCalls.update,
    make: async () => idOf(await manager().call(noticeCalls.add, { title: `Notice ${++count}`, body: 'Works' })),
    input: (word) => ({ title: `Notice ${word}`, body: 'Works' }),
    read: (id) => manager().call(noticeCalls.detail, { id }),
    as: manager,
  },
];

/** Help articles and their categories. */
export const helpCases = (manager: () => Client): readonly RevisionCase[] => {
  const category = async () => idOf(await manager().call(helpCategoryCalls.add, { name: `Category ${++count}` }));
  let of = 0;
  return [
    {
      update: helpArticleCalls.update,
      make: async () => {
        of = await category();
        return idOf(
          await manager().call(helpArticleCalls.add, { key: `article-${++count}`, title: 'Works', body: 'Works', categoryId: of }),
        );
      },
      input: (word) => ({ title: `Article ${word}`, body: 'Works', categoryId: of }),
      read: (id) => manager().call(helpArticleCalls.detail, { id }),
      as: manager,
    },
    {
      update: helpCategoryCalls.update,
      make: category,
      input: (word) => ({ name: `Category ${word}` }),
      read: (id) => manager().call(helpCategoryCalls.detail, { id }),
      as: manager,
    },
  ];
};

const makeOrderRow = async ({ app, managing }: { readonly app: TestApp; readonly managing: Client }) => {
  const [deviceId = 0] = await makeDevices(app, app.root, await makeProduct(app, app.root), [`REVO${++count}`]);
  return idOf(await managing.call(orderCalls.add, { deviceId, partnerId: app.root.id, fault: 'other' }));
};

/** Merchants, their shops, what was done on terminals there, what is watched for whom, and what was sold. */
export const placeCases = (
  it: () => { readonly app: TestApp; readonly admin: Client; readonly managing: Client },
): readonly RevisionCase[] => [
  {
    update: merchantCalls.update,
    make: async () => idOf(await makeMerchant(it().admin, it().app.root.id)),
    input: (word) => ({ number: `M-${word}-${count}`, name: `Merchant ${word}` }),
    read: (id) => it().admin.call(merchantCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: shopCalls.update,
    make: async () => idOf(await makeShop(it().admin, (await makeMerchant(it().admin, it().app.root.id)).id)),
    input: (word) => ({ number: `S-${word}`, name: `Shop ${word}` }),
    read: (id) => it().admin.call(shopCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: signingProfileCalls.update,
    make: () => insertProfile(it().app),
    input: (word) => ({ name: `Profile ${word} ${count}` }),
    read: (id) => it().admin.call(signingProfileCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: keyStoreCalls.update,
    make: async () => idOf(await it().admin.call(keyStoreCalls.add, { name: `Store ${++count}`, deptId: it().app.root.id })),
    input: (word) => ({ name: `Store ${word} ${count}` }),
    read: (id) => it().admin.call(keyStoreCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: maintenanceCalls.update,
    make: async () => {
      const [deviceId = 0] = await makeDevices(it().app, it().app.root, await makeProduct(it().app, it().app.root), [`REV${++count}`]);
      return idOf(await it().admin.call(maintenanceCalls.add, { deviceId, at: new Date().toISOString() }));
    },
    input: (word) => ({ at: new Date().toISOString(), found: word }),
    read: (id) => it().admin.call(maintenanceCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: orderCalls.update,
    make: () => makeOrderRow(it()),
    input: (word) => ({ partnerId: it().app.root.id, fault: 'other', description: word }),
    read: (id) => it().managing.call(orderCalls.detail, { id }),
    as: () => it().managing,
  },
  // Two who repair, beside the answers of who ordered, which are tried where they live.
  ...(
    [
      [orderCalls.quote, (word: string) => ({ diagnosis: word })],
      [orderCalls.assign, (word: string) => ({ dueOn: `2999-01-${String(word.length).padStart(2, '0')}` })],
      [orderCalls.ship, (word: string) => ({ carrier: word })],
      [orderCalls.contact, (word: string) => ({ contactName: word, phone: '', address: '' })],
    ] as const
  ).map(
    ([update, input]): RevisionCase => ({
      update,
      make: async () => {
        const id = await makeOrderRow(it());
        await it().managing.call(orderCalls.accept, { id });
        if (update === orderCalls.quote) await it().managing.call(orderCalls.receive, { id });
        return id;
      },
      input,
      read: (id) => it().managing.call(orderCalls.detail, { id }),
      as: () => it().managing,
    }),
  ),
  {
    update: appVersionCalls.update,
    make: async () => (await makeAppRow(it().app, it().app.root, `App ${++count}`)).appVersion,
    input: (word) => ({ listing: { en: { name: word } } }),
    read: (id) => it().admin.call(appVersionCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: sdkCalls.update,
    make: async () => {
      const id = await makeSdk(it().app, it().app.root, await makeProduct(it().app, it().app.root), `SDK ${++count}`);
      const { productId, fileId } = await it().admin.call(sdkCalls.detail, { id });
      sdk = { productId, fileId };
      return id;
    },
    input: (word) => ({ name: word, version: '1', ...sdk }),
    read: (id) => it().admin.call(sdkCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: appSubscriptionCalls.update,
    make: () => makeSubscription(it().app, it().app.root, `App ${++count}`),
    input: (word) => ({ note: word }),
    read: (id) => it().admin.call(appSubscriptionCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: alertRuleCalls.update,
    make: async () => idOf(await makeRule(it().admin, it().app.root.id)),
    input: (word) => ({ name: `Rule ${word}`, kind: 'battery' }),
    read: (id) => it().admin.call(alertRuleCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: geofenceCalls.update,
    make: async () => idOf(await makeFence(it().admin, it().app.root.id)),
    input: (word) => ({ name: `Fence ${word}`, lat: 1, lon: 1, radius: 100 }),
    read: (id) => it().admin.call(geofenceCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: alarmReceiverCalls.update,
    make: async () => idOf(await makeReceiver(it().admin, it().app.root.id)),
    input: (word) => ({ name: `Receivers ${word}`, emails: ['x@example.com'] }),
    read: (id) => it().admin.call(alarmReceiverCalls.detail, { id }),
    as: () => it().admin,
  },
  {
    update: saleCalls.update,
    make: async () => {
      const { root } = it().app;
      return (await makeShipments(it().app, root, await makeProduct(it().app, root), `REVS${++count}`)).sale;
    },
    input: (word) => ({ soldAt: '2026-01-02', buyer: word }),
    read: (id) => it().managing.call(saleCalls.detail, { id }),
    as: () => it().managing,
  },
  {
    update: syncSourceCalls.update,
    make: async () => (await makeSyncRows(it().app, it().app.root, `REV${++count}`)).syncSource,
    input: (word) => ({ name: `Register ${word}`, url: 'https://1.1.1.1/feed' }),
    read: (id) => it().managing.call(syncSourceCalls.detail, { id }),
    as: () => it().managing,
  },
  {
    update: iotCustomerCalls.update,
    make: async () => {
      const { iotCustomer, iotRegistration } = await makeIotRows(it().app, it().app.root, `REVI${++count}`);
      // Whoever has terminals registered there keeps the address.
      await it().app.context.unscoped((db) => db.deleteFrom('customer_registration').where('id', '=', iotRegistration).execute());
      return iotCustomer;
    },
    input: (word) => ({ name: `Platform ${word}`, endpoint: 'https://1.1.1.1/in', signIn: 'token', secret: 'a' }),
    read: (id) => it().managing.call(iotCustomerCalls.detail, { id }),
    as: () => it().managing,
  },
];
