import type { AppContext } from '../../platform/app-context.ts';
import type { Module } from '../../platform/module.ts';
import { alarms } from './alarm.resource.ts';
import { noteEvents } from './consume-signals.ts';
import { makeReceivers, receiverExporter } from './receiver.resource.ts';
import { makeRules } from './rule.resource.ts';
import { countCurrent } from './summary.ts';
import { consumeJob, pruneAlarms, watchAlarms } from './watch.ts';

/** Rules about terminals and releases, the alarms that they raise, and who hears of those. */
export const makeAlert = (app: AppContext): Module => ({
  name: 'alert',
  resources: [alarms, makeRules(app), makeReceivers(app)],
  exporters: [receiverExporter],
  jobs: [watchAlarms(app), consumeJob(app), pruneAlarms],
  messages: [noteEvents],
  counts: {
    alertPush: { can: 'alert:alarm:page', count: async (db, ctx) => (await countCurrent(db, ctx.scope.path)).open },
  },
});
