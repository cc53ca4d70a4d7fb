import { texts } from '../kit/texts.ts';

/** What the log calls the acts on apps. */
export const auditAppCallTexts = texts({
  'log.call./softApp/export': ['Export apps', '导出应用'],
  'log.call./softApp/developer/apply': ['Apply to be a developer', '申请成为开发者'],
  'log.call./softApp/developer/accept': ['Accept a developer', '接受开发者'],
  'log.call./softApp/developer/refuse': ['Decline a developer', '拒绝开发者'],
  'log.call./softApp/developer/suspend': ['Suspend a developer', '暂停开发者'],
  'log.call./softApp/developer/resume': ['Resume a developer', '恢复开发者'],
  'log.call./softApp/developer/export': ['Export developers', '导出开发者'],
  'log.call./appRelease/add': ['Upload an app version', '上传应用版本'],
  'log.call./appRelease/upload': ['Upload an app version from a build server', '由构建服务器上传应用版本'],
  'log.call./appRelease/update': ['Edit the listing of an app version', '修改应用版本的商店信息'],
  'log.call./appRelease/delete': ['Delete an app version', '删除应用版本'],
  'log.call./appRelease/submit': ['Submit an app version for review', '提交应用版本审核'],
  'log.call./appRelease/withdraw': ['Withdraw an app version from review', '撤回应用版本审核'],
  'log.call./appRelease/approve': ['Approve an app version', '通过应用版本'],
  'log.call./appRelease/reject': ['Send an app version back', '退回应用版本'],
  'log.call./appRelease/delist': ['Delist an app version', '下架应用版本'],
  'log.call./appRelease/relist': ['Ask to list an app version again', '申请重新上架应用版本'],
  'log.call./appRelease/publish': ['List an app version', '上架应用版本'],
  'log.call./appRelease/unpublish': ['Take an app version out of the catalogue', '将应用版本移出目录'],
  'log.call./appRelease/submitMany': ['Submit several app versions', '批量提交应用版本'],
  'log.call./appRelease/delistMany': ['Delist several app versions', '批量下架应用版本'],
  'log.call./appRelease/deleteMany': ['Delete several app versions', '批量删除应用版本'],
  'log.call./appRelease/export': ['Export app versions', '导出应用版本'],
});
