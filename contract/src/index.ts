import { menuCalls } from './access/calls.ts';
import { onlineCalls } from './access/online-calls.ts';
import { reviewCalls } from './access/review-calls.ts';
import { roleCalls } from './access/role-calls.ts';
import { userCalls } from './account/calls.ts';
import { inviteCalls, memberCalls } from './account/member-calls.ts';
import { contactCalls, leavingCalls, mfaCalls, passkeyCalls, profileCalls, sessionCalls } from './account/own-calls.ts';
import { policyCalls } from './account/policy-calls.ts';
import { authAuditCalls, realNameCalls } from './account/real-name-calls.ts';
import { tokenAdminCalls, tokenCalls } from './account/token-calls.ts';
import { alarmCalls } from './alert/alarm.ts';
import { alarmReceiverCalls } from './alert/receiver.ts';
import { alertRuleCalls } from './alert/rule.ts';
import { appCallbackCalls } from './app/callback.ts';
import { appCalls, appVersionCalls, developerCalls } from './app/calls.ts';
import { appDifferenceCalls } from './app/difference-calls.ts';
import { softAppTaskCalls, softAppTaskDeviceCalls } from './app/release-calls.ts';
import { sdkCalls } from './app/sdk.ts';
import { appSubscriptionCalls, appUrlCalls } from './app/subscription.ts';
import { appPermissionCalls, appPermissionDeviceCalls } from './app-permission/calls.ts';
import { absenceCalls } from './approval/absence-calls.ts';
import { approvalCalls } from './approval/calls.ts';
import { auditConfigCalls } from './approval/config-calls.ts';
import { approvalEmailCalls } from './approval/email-calls.ts';
import { footprintCalls, logCalls } from './audit-log/calls.ts';
import { forwardCalls } from './audit-log/forward-calls.ts';
import { loginCalls, signInCalls } from './auth/calls.ts';
import { invitedCalls } from './auth/invite-calls.ts';
import { registerCalls } from './auth/register-calls.ts';
import { ssoCalls } from './auth/sso-calls.ts';
import { blackoutCalls } from './blackout/calls.ts';
import { iotCustomerCalls } from './customer/customer.ts';
import { iotMessageCalls } from './customer/message.ts';
import { awsCalls } from './customer/registration.ts';
import { advertCalls } from './desktop/advert.ts';
import { customizationCalls } from './desktop/customization.ts';
import { desktopCalls } from './desktop/desktop.ts';
import {
  advertTaskCalls,
  advertTaskDeviceCalls,
  customizationTaskCalls,
  customizationTaskDeviceCalls,
  desktopTaskCalls,
  desktopTaskDeviceCalls,
} from './desktop/release-calls.ts';
import { shownCalls } from './desktop/shown-calls.ts';
import { activeCalls } from './device/active/active-calls.ts';
import { deviceCalls } from './device/calls.ts';
import { deviceGroupCalls } from './device/group-calls.ts';
import { deviceHistoryCalls } from './device/history-calls.ts';
import { deviceLogCalls } from './device/log/log-calls.ts';
import { mapCalls } from './device/map/map-calls.ts';
import { positionCalls } from './device/position/position-calls.ts';
import { regCalls } from './device/reg-calls.ts';
import { deviceReleaseCalls } from './device/release-calls.ts';
import { deviceChangeCalls, deviceImportCalls } from './device/sheet/sheet-calls.ts';
import { deviceThingCalls } from './device/thing/thing-calls.ts';
import { backgroundJobCalls } from './file/background-job-calls.ts';
import { fileCalls } from './file/calls.ts';
import { uploadMonitorCalls } from './file/upload-monitor-calls.ts';
import { differenceCalls, packageCalls } from './firmware/package-calls.ts';
import { deviceFirmwareCalls, preTaskCalls, taskCalls, taskDeviceCalls } from './firmware/task-calls.ts';
import { geofenceCalls } from './geofence/geofence.ts';
import { geofenceAlarmCalls } from './geofence/geofence-alarm.ts';
import { hardwareTestCalls } from './hardware-test/calls.ts';
import { helpArticleCalls } from './help/article.ts';
import { helpCalls, openHelpCalls } from './help/calls.ts';
import { helpCategoryCalls } from './help/category.ts';
import { countCalls, countLineCalls } from './inventory/count.ts';
import { dispatchCalls, transferCalls } from './inventory/dispatch.ts';
import { arrivalCalls, receiptCalls } from './inventory/receipt.ts';
import { saleCalls } from './inventory/sale.ts';
import { custodyCalls, entryCalls, stockCalls } from './inventory/stock.ts';
import { syncConflictCalls, syncRunCalls, syncSourceCalls } from './inventory/sync.ts';
import { jobCalls, schedCalls } from './job/calls.ts';
import type { Call, Calls } from './kit/call.ts';
import { countryCalls, languageCalls } from './language/calls.ts';
import { labelCalls, languageAdminCalls } from './language/label-calls.ts';
import { merchantCalls } from './merchant/calls.ts';
import { maintenanceCalls } from './merchant/maintenance.ts';
import { shopCalls } from './merchant/shop.ts';
import { messageCalls } from './message/calls.ts';
import { noticeCalls } from './message/notice-calls.ts';
import { moduleDeviceCalls, moduleDifferenceCalls, modulePackageCalls, moduleTaskCalls } from './module/calls.ts';
import { networkConfigCalls, networkConfigDeviceCalls } from './network-config/calls.ts';
import { orderCalls } from './order/calls.ts';
import { deptCalls } from './org/calls.ts';
import { deptInviteCalls } from './org/invite-calls.ts';
import { trustCalls } from './org/trust-calls.ts';
import { businessUnitCalls, productLineCalls } from './org/unit-calls.ts';
import { androidTaskCalls, androidTaskDeviceCalls } from './paramfile/android-calls.ts';
import { paramBatchCalls, paramFileCalls, paramSetCalls, paramTaskCalls, paramTaskDeviceCalls } from './paramfile/calls.ts';
import { paramLevelCalls, paramResultCalls } from './paramfile/level-calls.ts';
import { paramTemplateCalls } from './paramfile/template-calls.ts';
import { patchDeviceCalls, patchDifferenceCalls, patchPackageCalls, patchPreTaskCalls, patchTaskCalls } from './patch/calls.ts';
import { productCalls } from './product/calls.ts';
import { industryCalls, productCategoryCalls } from './product/category-calls.ts';
import { firmCalls } from './product/firm-calls.ts';
import { productModelCalls } from './product/model-calls.ts';
import { productShareCalls } from './product/share-calls.ts';
import { driftCallGroups } from './release-drift.ts';
import { settingCalls } from './settings/calls.ts';
import { changeRequestCalls } from './settings/change-request-calls.ts';
import { dictCalls, dictFindCalls, dictSheetCalls } from './settings/dict-calls.ts';
import { downloadDomainCalls } from './settings/domain-calls.ts';
import { mailCalls } from './settings/mail-calls.ts';
import { pictureCalls, systemSettingCalls } from './settings/system-calls.ts';
import { savedViewCalls } from './settings/view-calls.ts';
import { webhookCalls } from './settings/webhook-calls.ts';
import { keyChangeCalls } from './signing/change-calls.ts';
import { signingJobCalls, verifyCalls } from './signing/job.ts';
import { keyInfoCalls, signingKeyCalls } from './signing/key.ts';
import { keyStoreCalls } from './signing/key-store.ts';
import { signingProfileCalls } from './signing/profile.ts';
import { vaultSealCalls } from './signing/vault-seal.ts';
import { besideCalls } from './signing/verify-beside.ts';
import { homeCalls, statisticCalls, wallCalls } from './stats/calls.ts';
import { complianceCalls } from './stats/compliance-calls.ts';
import { generalDriftCalls, generalTaskCalls } from './task/calls.ts';

/** Every group of calls. What stands here is served, documented and tested. */
export const callGroups: Readonly<Record<string, Calls>> = {
  loginCalls,
  ssoCalls,
  signInCalls,
  registerCalls,
  realNameCalls,
  authAuditCalls,
  invitedCalls,
  deptInviteCalls,
  menuCalls,
  userCalls,
  policyCalls,
  profileCalls,
  contactCalls,
  mfaCalls,
  passkeyCalls,
  sessionCalls,
  leavingCalls,
  deptCalls,
  trustCalls,
  businessUnitCalls,
  productLineCalls,
  memberCalls,
  inviteCalls,
  roleCalls,
  reviewCalls,
  languageCalls,
  countryCalls,
  onlineCalls,
  tokenCalls,
  tokenAdminCalls,
  logCalls,
  footprintCalls,
  forwardCalls,
  messageCalls,
  noticeCalls,
  helpCalls,
  openHelpCalls,
  helpArticleCalls,
  helpCategoryCalls,
  languageAdminCalls,
  labelCalls,
  settingCalls,
  savedViewCalls,
  systemSettingCalls,
  pictureCalls,
  mailCalls,
  downloadDomainCalls,
  changeRequestCalls,
  webhookCalls,
  dictCalls,
  dictSheetCalls,
  dictFindCalls,
  productCalls,
  blackoutCalls,
  productCategoryCalls,
  industryCalls,
  firmCalls,
  productModelCalls,
  productShareCalls,
  deviceCalls,
  deviceImportCalls,
  deviceChangeCalls,
  deviceGroupCalls,
  deviceHistoryCalls,
  activeCalls,
  mapCalls,
  positionCalls,
  deviceLogCalls,
  deviceThingCalls,
  hardwareTestCalls,
  deviceReleaseCalls,
  regCalls,
  merchantCalls,
  iotCustomerCalls,
  iotMessageCalls,
  awsCalls,
  shopCalls,
  maintenanceCalls,
  orderCalls,
  alarmCalls,
  alertRuleCalls,
  geofenceCalls,
  geofenceAlarmCalls,
  alarmReceiverCalls,
  stockCalls,
  entryCalls,
  custodyCalls,
  countCalls,
  countLineCalls,
  syncSourceCalls,
  syncRunCalls,
  syncConflictCalls,
  dispatchCalls,
  transferCalls,
  receiptCalls,
  arrivalCalls,
  saleCalls,
  fileCalls,
  backgroundJobCalls,
  uploadMonitorCalls,
  packageCalls,
  differenceCalls,
  appDifferenceCalls,
  taskCalls,
  preTaskCalls,
  taskDeviceCalls,
  deviceFirmwareCalls,
  modulePackageCalls,
  moduleDifferenceCalls,
  moduleTaskCalls,
  moduleDeviceCalls,
  patchPackageCalls,
  patchDifferenceCalls,
  patchTaskCalls,
  patchPreTaskCalls,
  patchDeviceCalls,
  appCalls,
  appVersionCalls,
  developerCalls,
  softAppTaskCalls,
  softAppTaskDeviceCalls,
  appSubscriptionCalls,
  sdkCalls,
  appUrlCalls,
  appCallbackCalls,
  appPermissionCalls,
  appPermissionDeviceCalls,
  advertCalls,
  customizationCalls,
  desktopCalls,
  shownCalls,
  paramSetCalls,
  paramFileCalls,
  jobCalls,
  schedCalls,
  advertTaskCalls,
  advertTaskDeviceCalls,
  customizationTaskCalls,
  customizationTaskDeviceCalls,
  desktopTaskCalls,
  desktopTaskDeviceCalls,
  paramBatchCalls,
  paramTaskCalls,
  paramTaskDeviceCalls,
  paramLevelCalls,
  paramResultCalls,
  paramTemplateCalls,
  androidTaskCalls,
  androidTaskDeviceCalls,
  networkConfigCalls,
  networkConfigDeviceCalls,
  homeCalls,
  statisticCalls,
  complianceCalls,
  wallCalls,
  absenceCalls,
  approvalCalls,
  approvalEmailCalls,
  auditConfigCalls,
  generalTaskCalls,
  generalDriftCalls,
  ...driftCallGroups,
  keyStoreCalls,
  signingKeyCalls,
  keyInfoCalls,
  vaultSealCalls,
  keyChangeCalls,
  signingJobCalls,
  verifyCalls,
  besideCalls,
  signingProfileCalls,
};

export const allCalls: readonly Call[] = Object.values(callGroups).flatMap((group) => Object.values(group));
