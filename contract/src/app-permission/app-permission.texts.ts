import { texts } from '../kit/texts.ts';

export const appPermissionTexts = texts({
  'invalid.appId': ['The package name of an app, such as com.example.pay.', '应用包名，例如 com.example.pay。'],
  'invalid.oneApp': ['Only one app.', '只能填写一个应用。'],
  'appPermission.task.title': ['App permissions', '应用权限'],
  'appPermission.task.empty': ['No app permissions released yet', '暂无应用权限任务'],
  'appPermission.task.emptyText': ['Choose what apps may do, then release it to your terminals.', '选择应用权限后即可向终端下发。'],
  'appPermission.list': ['Permission', '权限类型'],
  'appPermission.list.noUninstall': ['Can’t be uninstalled', '禁止卸载'],
  'appPermission.list.launcher': ['Launcher', '桌面启动器'],
  'appPermission.list.bootApp': ['Started at boot', '开机启动应用'],
  'appPermission.list.print': ['May print', '打印权限'],
  'appPermission.list.usb': ['May use USB', 'USB 权限'],
  'appPermission.list.dangerousPermission': ['Dangerous permissions granted', '授予危险权限'],
  'appPermission.list.lowMemoryKeepAlive': ['Kept alive when memory is low', '低内存保活'],
  'appPermission.list.bootBroadcast': ['Receives the boot broadcast', '接收开机广播'],
  'appPermission.apps': ['Apps', '应用'],
  'appPermission.appsHelp': ['Package names, such as com.example.pay.', '应用包名，例如 com.example.pay。'],
});
