import { texts } from '../kit/texts.ts';

/** Releases of apps, and apps on terminals. */
export const appReleaseTexts = texts({
  'task.kind.softApp': ['App', '应用'],
  'appRelease.about': ['Install, update or uninstall an app.', '安装、更新或卸载应用。'],
  'appRelease.action.install': ['Install or update', '安装或更新'],
  'appRelease.action.update': ['Update where installed', '仅更新已安装的'],
  'appRelease.action.uninstall': ['Uninstall', '卸载'],
  'appRelease.action.trial': ['Try on test terminals', '在测试终端上试用'],
  'appRelease.words.trial': ['Try {name}', '试用 {name}'],
  'appRelease.trial.about': [
    'For versions that wait for your review. They reach test terminals alone, and stop when the version is rejected or withdrawn.',
    '仅用于等待您审核的版本。只会发送至测试终端，版本被驳回或撤回后停止。',
  ],
  'appRelease.trial.deviceIds': ['Test terminals', '测试终端'],
  'appRelease.trial.dialog': [
    'It’s installed at once and stays until it’s uninstalled. A terminal becomes a test terminal on its own page, under Edit.',
    '将立即安装，卸载前一直保留。可在终端详情页的“编辑”中将其设为测试终端。',
  ],
  'appRelease.trial.none': ['No terminal of its products is a test terminal yet.', '其适用产品尚无测试终端。'],
  'appRelease.trial.title': ['Try version', '试用版本'],
  'appRelease.trial.submit': ['Install', '安装'],
  'appRelease.trial.done': [
    '{terminals, plural, one {Being installed on # test terminal} other {Being installed on # test terminals}}',
    '正在安装到 {terminals} 台测试终端',
  ],
  'appRelease.version': ['App version', '应用版本'],
  'appRelease.installed': ['Installed app', '已安装的应用'],
  'appRelease.noInstalled': ['No terminal reports this app', '没有终端上报该应用'],
  'appRelease.absent': ['not installed', '未安装'],
  'appRelease.words.uninstall': ['Uninstall {name}', '卸载 {name}'],
  'fault.APP_TRIAL': [
    'Only a version that waits for review can be tried, by a reviewer.',
    '只有等待审核的版本可由有权审核的人员试用。',
  ],
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
