import { custodyCalls } from '@mooring/contract/inventory/stock';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { countLines, makeCounts } from './count.resource.ts';
import { ofDevice } from './custody.ts';
import { makeDispatches, makeTransfers } from './dispatch.resource.ts';
import { deleteAct, withdrawAct } from './end-dispatch.ts';
import { dispatchImport } from './import-dispatch.ts';
import { makeMany } from './many.ts';
import { makeArrivals, makeReceipts } from './receipt.resource.ts';
import { acceptAct, giveBackAct, refuseAct } from './receiver-acts.ts';
import { sales } from './sale.resource.ts';
import { sendAct, takeBackAct } from './sender-acts.ts';
import { entries, issueAct, makeStock } from './stock.ts';
import { keepAct, takeAct } from './sync/decide.ts';
import { syncDueJob, syncJob } from './sync/run-sync.ts';
import { makeConflicts, makeSources, runs } from './sync/sync.resource.ts';

/** What lies in stock, how it came there, and how it goes to other organisations and to buyers. */
export function makeInventory(app: AppContext): Module {
  const { run, manyJobs } = makeMany({
    issue: issueAct,
    send: sendAct,
    takeBack: takeBackAct,
    accept: acceptAct,
    refuse: refuseAct,
    giveBack: giveBackAct,
    withdraw: withdrawAct,
    delete: deleteAct,
    syncKeep: keepAct,
    syncTake: takeAct,
  });
  const store = openStore(app.config, app.counts);
  const sheet = dispatchImport(store);
  return {
    name: 'inventory',
    resources: [
      makeStock(run),
      entries,
      makeDispatches(run, sheet),
      makeTransfers(run),
      makeReceipts(run),
      makeArrivals(run),
      sales,
      makeCounts(store),
      countLines,
      makeSources(app),
      runs,
      makeConflicts(run),
    ],
    routes: handlers(custodyCalls, { ofDevice }),
    jobs: [...manyJobs, sheet.job, syncJob(app), syncDueJob],
    counts: {
      inventoryReceipt: {
        can: 'inventory:receipt:page',
        count: async (db) =>
          (
            await db
              .selectFrom('inventory_receipt')
              .select((eb) => eb.fn.countAll<number>().as('n'))
              .where('waiting', '>', 0)
              .executeTakeFirstOrThrow()
          ).n,
      },
      inventorySync: {
        can: 'inventory:sync:page',
        count: async (db) =>
          (
            await db
              .selectFrom('inventory_sync_conflict')
              .select((eb) => eb.fn.countAll<number>().as('n'))
              .where('state', '=', 'open')
              .executeTakeFirstOrThrow()
          ).n,
      },
    },
  };
}
