import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import type { Module } from '../../platform/module.ts';
import { merchantImport } from './import-merchants.ts';
import { shopImport } from './import-shops.ts';
import { maintenances } from './maintenance.resource.ts';
import { makeMerchants, makeShops } from './merchant.resource.ts';
import { ofDevice } from './of-device.ts';

/** Merchants, their shops, and the work on their terminals. */
export function makeMerchant(app: AppContext): Module {
  const store = openStore(app.config, app.counts);
  const [merchantSheet, shopSheet] = [merchantImport(store), shopImport(store)];
  const shops = makeShops(shopSheet);
  const merchants = makeMerchants(
    merchantSheet,
    ofDevice(
      () => merchants,
      () => shops,
    ),
  );
  return {
    name: 'merchant',
    resources: [merchants, shops, maintenances],
    jobs: [merchantSheet.job, shopSheet.job],
    fileOwners: [
      {
        table: 'merchant_photo',
        column: 'file_id',
        can: 'merchant:maintenance:page',
        use: {
          what: 'maintenance',
          name: sql`(select d.sn from merchant_maintenance m join device d on d.id = m.device_id where m.id = merchant_photo.maintenance_id)`,
          at: { path: '/maintenance?row=', id: sql`merchant_photo.maintenance_id` },
        },
      },
    ],
  };
}
