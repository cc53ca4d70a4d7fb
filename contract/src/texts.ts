import { accessTexts } from './access/access.texts.ts';
import { grantTexts } from './access/grant.texts.ts';
import { menuTexts } from './access/menus.texts.ts';
import { reviewTexts } from './access/review.texts.ts';
import { accountTexts } from './account/account.texts.ts';
import { memberTexts } from './account/member.texts.ts';
import { realNameTexts } from './account/real-name.texts.ts';
import { tokenTexts } from './account/token.texts.ts';
import { alertTexts } from './alert/alert.texts.ts';
import { appTexts } from './app/app.texts.ts';
import { packageTexts } from './app/package.texts.ts';
import { permissionTexts } from './app/permissions.texts.ts';
import { appReleaseTexts } from './app/release.texts.ts';
import { sdkTexts } from './app/sdk.texts.ts';
import { appSubscriptionTexts } from './app/subscription.texts.ts';
import { appVersionTexts } from './app/version.texts.ts';
import { appPermissionTexts } from './app-permission/app-permission.texts.ts';
import { absenceTexts } from './approval/absence.texts.ts';
import { approvalTexts } from './approval/approval.texts.ts';
import { auditAppCallTexts } from './audit-log/app-calls.texts.ts';
import { auditLogTexts } from './audit-log/audit-log.texts.ts';
import { auditCallTexts } from './audit-log/calls.texts.ts';
import { auditHelpCallTexts } from './audit-log/help-calls.texts.ts';
import { auditOrderCallTexts } from './audit-log/order-calls.texts.ts';
import { auditPageCallTexts } from './audit-log/page-calls.texts.ts';
import { auditReleaseCallTexts } from './audit-log/release-calls.texts.ts';
import { auditSigningCallTexts } from './audit-log/signing-calls.texts.ts';
import { authTexts } from './auth/auth.texts.ts';
import { registerTexts } from './auth/register.texts.ts';
import { blackoutTexts } from './blackout/blackout.texts.ts';
import { iotCustomerTexts } from './customer/customer.texts.ts';
import { iotRegistrationTexts } from './customer/registration.texts.ts';
import { desktopTexts } from './desktop/desktop.texts.ts';
import { activeTexts } from './device/active/active.texts.ts';
import { deviceTexts } from './device/device.texts.ts';
import { deviceGroupTexts } from './device/group.texts.ts';
import { deviceLogTexts } from './device/log/log.texts.ts';
import { mapTexts } from './device/map/map.texts.ts';
import { positionTexts } from './device/position/position.texts.ts';
import { deviceSheetTexts } from './device/sheet/sheet.texts.ts';
import { deviceThingTexts } from './device/thing/thing.texts.ts';
import { differenceTexts } from './engines/rollout/difference.texts.ts';
import { driftTexts } from './engines/rollout/drift.texts.ts';
import { publishPlaceTexts } from './engines/rollout/publish-place.texts.ts';
import { rolloutTexts } from './engines/rollout/rollout.texts.ts';
import { faultTexts } from './faults.texts.ts';
import { backgroundJobTexts } from './file/background-job.texts.ts';
import { fileTexts } from './file/file.texts.ts';
import { uploadMonitorTexts } from './file/upload-monitor.texts.ts';
import { firmwareTexts } from './firmware/firmware.texts.ts';
import { geofenceTexts } from './geofence/geofence.texts.ts';
import { hardwareTestTexts } from './hardware-test/hardware-test.texts.ts';
import { helpTexts } from './help/help.texts.ts';
import { countTexts } from './inventory/count.texts.ts';
import { dispatchTexts } from './inventory/dispatch.texts.ts';
import { saleTexts } from './inventory/sale.texts.ts';
import { stockTexts } from './inventory/stock.texts.ts';
import { syncTexts } from './inventory/sync.texts.ts';
import { jobTexts } from './job/job.texts.ts';
import { kitTexts } from './kit/kit.texts.ts';
import { viewTexts } from './kit/view.texts.ts';
import { languageTexts } from './language/language.texts.ts';
import { mailTexts } from './mail/mail.texts.ts';
import { maintenanceTexts } from './merchant/maintenance.texts.ts';
import { merchantTexts } from './merchant/merchant.texts.ts';
import { messageTexts } from './message/message.texts.ts';
import { noticeTexts } from './message/notice.texts.ts';
import { moduleTexts } from './module/module.texts.ts';
import { networkConfigTexts } from './network-config/network-config.texts.ts';
import { orderMessageTexts } from './order/message.texts.ts';
import { orderTexts } from './order/order.texts.ts';
import { orgTexts } from './org/org.texts.ts';
import { paramLevelTexts } from './paramfile/level.texts.ts';
import { paramFileTexts } from './paramfile/paramfile.texts.ts';
import { paramTemplateTexts } from './paramfile/template.texts.ts';
import { patchTexts } from './patch/patch.texts.ts';
import { productTexts } from './product/product.texts.ts';
import { productPartsTexts } from './product/product-parts.texts.ts';
import { thingModelTexts } from './product/thing-model.texts.ts';
import { dictSheetTexts } from './settings/dict-sheet.texts.ts';
import { dualControlTexts } from './settings/dual-control.texts.ts';
import { settingsTexts } from './settings/settings.texts.ts';
import { webhookEventTexts } from './settings/webhook-event.texts.ts';
import { shellTexts } from './shell/shell.texts.ts';
import { signingJobTexts } from './signing/job.texts.ts';
import { signingProfileTexts } from './signing/profile.texts.ts';
import { profileChangeTexts } from './signing/profile-change.texts.ts';
import { signingTexts } from './signing/signing.texts.ts';
import { verifyTexts } from './signing/verify.texts.ts';
import { statsTexts } from './stats/stats.texts.ts';
import { generalTaskTexts } from './task/task.texts.ts';

/** Text tables by dataType, as the server sends them (specification, section 7, "Language content"). */
export const textTables = {
  kit: { ...kitTexts, ...viewTexts },
  shell: shellTexts,
  auth: authTexts,
  register: registerTexts,
  account: accountTexts,
  realName: realNameTexts,
  member: memberTexts,
  org: orgTexts,
  access: accessTexts,
  grant: grantTexts,
  review: reviewTexts,
  menu: menuTexts,
  fault: faultTexts,
  mail: mailTexts,
  device: {
    ...deviceTexts,
    ...deviceGroupTexts,
    ...positionTexts,
    ...mapTexts,
    ...activeTexts,
    ...deviceLogTexts,
    ...deviceThingTexts,
    ...deviceSheetTexts,
  },
  product: productTexts,
  hardwareTest: hardwareTestTexts,
  customer: { ...iotCustomerTexts, ...iotRegistrationTexts },
  merchant: { ...merchantTexts, ...maintenanceTexts },
  alert: alertTexts,
  geofence: geofenceTexts,
  order: { ...orderTexts, ...orderMessageTexts },
  inventory: { ...stockTexts, ...dispatchTexts, ...saleTexts, ...countTexts, ...syncTexts },
  productParts: productPartsTexts,
  thingModel: thingModelTexts,
  token: tokenTexts,
  auditLog: {
    ...auditLogTexts,
    ...auditCallTexts,
    ...auditPageCallTexts,
    ...auditOrderCallTexts,
    ...auditReleaseCallTexts,
    ...auditHelpCallTexts,
    ...auditAppCallTexts,
    ...auditSigningCallTexts,
  },
  message: { ...messageTexts, ...noticeTexts },
  signing: { ...signingTexts, ...signingJobTexts, ...signingProfileTexts, ...profileChangeTexts, ...verifyTexts },
  help: helpTexts,
  settings: { ...settingsTexts, ...dictSheetTexts, ...dualControlTexts, ...webhookEventTexts },
  language: languageTexts,
  file: fileTexts,
  work: backgroundJobTexts,
  uploadMonitor: uploadMonitorTexts,
  rollout: { ...rolloutTexts, ...driftTexts, ...publishPlaceTexts, ...differenceTexts, ...blackoutTexts },
  firmware: firmwareTexts,
  releaseKinds: { ...moduleTexts, ...patchTexts, ...appPermissionTexts, ...networkConfigTexts },
  job: jobTexts,
  desktop: desktopTexts,
  paramfile: { ...paramFileTexts, ...paramLevelTexts, ...paramTemplateTexts },
  generalTasks: generalTaskTexts,
  appPackage: packageTexts,
  app: { ...appTexts, ...appVersionTexts, ...permissionTexts, ...appReleaseTexts, ...appSubscriptionTexts, ...sdkTexts },
  stats: statsTexts,
  absence: absenceTexts,
  approval: approvalTexts,
} as const;

type Tables = typeof textTables;
type KeyOf<T> = T extends unknown ? keyof T : never;
/** Every text key: a typo doesn't compile. */
export type TextKey = KeyOf<Tables[keyof Tables]> & string;
