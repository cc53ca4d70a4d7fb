import { Fault } from '@mooring/contract/kit/fault';
import { settingCalls } from '@mooring/contract/settings/calls';
import { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { dictFindCalls, dictSheetCalls } from '@mooring/contract/settings/dict-calls';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { pictureCalls, systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { savedViewCalls } from '@mooring/contract/settings/view-calls';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { fileSourceOf, openStore } from '../../platform/files/open-store.ts';
import { sendsOf } from '../../platform/mail/settings.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { hostOf } from '../../platform/outbound/door.ts';
import { readSetting } from '../../platform/settings.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { largeImport } from '../../platform/work/large-import.ts';
import { codesOffered, discover } from '../auth/api.ts';
import { DROP_BLOB, freeFile, keepBuilt } from '../file/api.ts';
import { workingPlace } from '../org/api.ts';
import { checkPictures, digestsOf, pageSetting, replacedPictures, sendPicture } from './branding.ts';
import { checkSecond } from './change-requests/approvers.ts';
import { approveChange, refuseChange, withdrawChange } from './change-requests/decide.ts';
import { expireChanges } from './change-requests/expire.ts';
import { type ChangeRow, countWaiting, type LockSubjects, pageChanges, shownOf, type Undone } from './change-requests/read.ts';
import { dictEntries, dicts, entryExportCalls, findEntries } from './dicts.ts';
import { downloadDomains } from './download-domains.ts';
import { entryExporter, exportEntries } from './export-entries.ts';
import { entrySheet } from './import-entries.ts';
import { pageMails, resendMail, sendTest } from './out-mails.ts';
import { outboxExporter } from './outbox-exporter.ts';
import { savedViews } from './saved-views.ts';
import { seedDicts } from './seed-dicts.ts';
import { checkSyslog } from './syslog-setting.ts';
import { allowedNow, checkAdministrator, checkReach, checkRules, findSettings, saveSetting, storageOf } from './system-settings.ts';
import { findTableConfig, saveTableConfig } from './table-config.ts';
import { testTiles } from './test-tiles.ts';
import { webhookService } from './webhooks/deliver.ts';
import { deleteWebhooks, forgetDeliveries } from './webhooks/forget.ts';
import { webhookExporters, webhookRoutes } from './webhooks/webhook-calls.ts';

const VERSION = '2.2.0';

export function makeSettings(app: AppContext, others: () => readonly Module[]): Module {
  const routes = () => others().flatMap((module) => module.routes ?? []);
  const deciding = { home: 'settings', routes, shown: (ctx: Ctx, row: ChangeRow) => shownOf(ctx, row, false) } as const;
  const undone: Undone = async (ctx, db, of) => {
    for (const module of others()) await module.undone?.(ctx, db, of);
  };
  const lockSubjects: LockSubjects = async (db, of) => {
    for (const module of others()) await module.lockSubjects?.(db, of);
  };
  const store = openStore(app.config, app.counts);
  const outbox = outboxExporter(app);
  const entries = largeImport(entrySheet, { store, keep: keepBuilt });
  return {
    name: 'settings',
    seed: seedDicts,
    exporters: [outbox, entryExporter, ...webhookExporters],
    resources: [dicts, dictEntries, downloadDomains],
    refs: {
      webhook: 'settings_webhook',
    },
    keepsBlob: async (db, sha256) => digestsOf(await readSetting(db, 'branding')).includes(sha256),
    services: [webhookService],
    jobs: [expireChanges(undone, lockSubjects), forgetDeliveries, deleteWebhooks, entries.job],
    counts: { systemSettings: { can: 'settings:system:page', count: countWaiting } },
    routes: [
      ...webhookRoutes(app),
      ...handlers(settingCalls, {
        pageSetting: (ctx) =>
          ctx.unscoped(async (db) => {
            const sends = await sendsOf(app, db);
            return pageSetting(ctx.db, { sends, codes: await codesOffered(db, sends) });
          }),
        supportConfig: async (ctx) => ({ supportWebPath: (await readSetting(ctx.db, 'project')).supportWebUrl || null }),
        projectConfig: async (ctx) => {
          const project = await readSetting(ctx.db, 'project');
          return {
            afterSalesUrl: project.afterSalesUrl || null,
            projectKey: project.projectKey || null,
            fileSource: fileSourceOf(app.config),
            supportWebUrl: project.supportWebUrl || null,
            pageId: project.pageId || null,
            version: VERSION,
          };
        },
        tableConfig: (ctx, input) => findTableConfig(ctx, input.code),
        saveTableConfig,
      }),
      ...handlers(entryExportCalls, { entryExport: exportEntries }),
      ...handlers(dictSheetCalls, entries),
      ...handlers(savedViewCalls, savedViews),
      ...handlers(systemSettingCalls, {
        findByCriteria: (ctx, { criteria }) => findSettings(ctx, criteria.type),
        branding: async (ctx, input) => {
          await checkPictures(ctx, input);
          const replaced = await replacedPictures(ctx, input);
          const outcome = await saveSetting(ctx, app, 'branding', input);
          for (const id of replaced.files) await freeFile(ctx, ctx.db, id);
          // Its file may have been cleaned away while it was shown.
          for (const sha256 of replaced.digests) await ctx.enqueue(ctx.db, DROP_BLOB, { sha256 });
          return outcome;
        },
        project: (ctx, input) => saveSetting(ctx, app, 'project', input),
        mail: async (ctx, input) => {
          await checkReach(ctx, input.host, 'host');
          await checkAdministrator(ctx);
          return saveSetting(ctx, app, 'mail', input);
        },
        sms: async (ctx, input) => {
          await checkReach(ctx, input.url === '' ? '' : hostOf(input.url), 'url');
          await checkAdministrator(ctx);
          return saveSetting(ctx, app, 'sms', input);
        },
        alarmReceivers: (ctx, input) => saveSetting(ctx, app, 'alarmReceivers', input),
        syslog: async (ctx, input) => {
          checkSyslog(input);
          await checkReach(ctx, input.host, 'host');
          await checkAdministrator(ctx);
          const outcome = await saveSetting(ctx, app, 'syslog', input);
          await ctx.invalidate(ctx.db, '/sys/logs/forward', '1.');
          return outcome;
        },
        map: async (ctx, input) => {
          await checkAdministrator(ctx);
          return saveSetting(ctx, app, 'map', input);
        },
        testMap: testTiles,
        retention: (ctx, input) => saveSetting(ctx, app, 'retention', input),
        accessReview: (ctx, input) => saveSetting(ctx, app, 'accessReview', input),
        dualControl: async (ctx, input) => {
          await checkAdministrator(ctx);
          // Saved again as it is it stays: from when it was switched on counts who got an account from whom.
          if (input.enabled && (await readSetting(ctx.db, 'dualControl')).enabled) return null;
          if (input.enabled) await ctx.readOnly((db) => checkSecond(db, ctx.actor.userId, ctx.now()));
          return saveSetting(ctx, app, 'dualControl', input);
        },
        outbound: async (ctx, input) => {
          await checkAdministrator(ctx);
          return saveSetting(ctx, app, 'outbound', input);
        },
        registration: async (ctx, input) => {
          const { oneDeptId } = input;
          // Past the range policy: whichever organisation the tab acts for, the unit is one of the installation.
          const place = oneDeptId === null || (await ctx.unscoped((db) => workingPlace(db, oneDeptId)));
          if (!place) throw new Fault('REGIST_PLACE', { fields: { oneDeptId: 'fault.REGIST_PLACE' } });
          return saveSetting(ctx, app, 'registration', input);
        },
        unauthenticated: async (ctx, input) => {
          const outcome = await saveSetting(ctx, app, 'unauthenticated', input);
          // Open consoles ask anew what their people may do.
          await ctx.invalidate(ctx.db, '/sys/menus', '1.');
          return outcome;
        },
        singleSignOn: async (ctx, input) => {
          await checkAdministrator(ctx);
          await checkRules(ctx, input);
          // An issuer that doesn't answer is a typing error: said now, not at somebody's sign-in.
          if (input.enabled) await discover(input.issuer, input.clientId, '', await allowedNow(ctx));
          return ctx.withScope((inner) => saveSetting(inner, app, 'singleSignOn', input));
        },
        storage: (ctx) => storageOf(ctx, app),
      }),
      ...handlers(changeRequestCalls, {
        page: pageChanges,
        approve: approveChange(app, deciding),
        refuse: refuseChange(deciding),
        withdraw: withdrawChange(deciding),
      }),
      ...handlers(pictureCalls, { picture: (ctx, { digest }, wire) => sendPicture(ctx, store, digest, wire) }),
      ...handlers(mailCalls, {
        page: pageMails(app),
        export: (ctx, input) => startExport(ctx, outbox, input),
        resend: resendMail(app),
        test: sendTest(app, 'email'),
        testText: sendTest(app, 'sms'),
      }),
      ...handlers(dictFindCalls, { findByCriteria: (ctx, { criteria }) => findEntries(ctx, criteria) }),
    ],
  };
}
