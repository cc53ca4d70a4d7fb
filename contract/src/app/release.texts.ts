import { texts } from '../kit/texts.ts';

/** Releases of apps, and apps on terminals. */
export const appReleaseTexts = texts({
  'task.kind.softApp': ['App', '应用'],
  'appRelease.about': ['Install, update or uninstall an app.', '安装、更新或卸载应用。'],
  'appRelease.action.install': ['Install or update', '安装或更新'],
  'appRelease.action.update': ['Update where installed', '仅更新已安装的'],
  'appRelease.action.uninstall': ['Uninstall', '卸载'],
  'appRelease.version': ['App version', '应用版本'],
  'appRelease.installed': ['Installed app', '已安装的应用'],
  'appRelease.noInstalled': ['No terminal reports this app', '没有终端上报该应用'],
  'appRelease.absent': ['not installed', '未安装'],
  'appRelease.words.uninstall': ['Uninstall {name}', '卸载 {name}'],
  'fault.APP_NOT_LISTED': ['This version isn’t in the catalogue.', '该版本未上架。'],
  'device.app': ['Installed app', '已安装应用'],
  'device.appBelow': ['App version code below', '应用版本号低于'],
  'invalid.versionCode': ['Enter a version code: digits only.', '请输入版本号，仅限数字。'],
  'device.apps.package': ['Package name', '包名'],
  'device.apps.code': ['Version code', '版本号'],
  'device.apps.certificate': ['Certificate (SHA-256)', '证书（SHA-256）'],
  'device.apps.since': ['In this version since', '当前版本安装时间'],
  'device.apps.none': ['The terminal reported no apps', '终端未上报应用'],
});
