import { texts } from '../kit/texts.ts';

/** Names of menu nodes and buttons: `menu.<code>`. */
export const menuTexts = texts({
  'menu.overview': ['Overview', '概览'],
  'menu.welcome': ['Welcome', '欢迎'],
  'menu.devices': ['Devices', '设备'],
  'menu.device': ['Devices', '设备管理'],
  'menu.regDevice': ['Expected and asking', '入网登记'],
  'menu.deviceAll': ['Devices', '设备列表'],
  'menu.product': ['Products', '产品管理'],
  'menu.upgrade': ['Upgrades', '升级'],
  'menu.firmwareTask': ['Firmware tasks', '固件任务'],
  'menu.firmwarePackage': ['Firmware packages', '固件包'],
  'menu.administration': ['Administration', '管理'],
  'menu.log': ['Log', '操作日志'],
  'menu.managementLog': ['Log', '操作日志'],
  'menu.userFootprint': ['Footprints', '用户足迹'],
  'menu.settings': ['Settings', '设置'],
  'menu.systemSettings': ['System settings', '系统设置'],
  'menu.paramsDic': ['Code lists', '参数字典'],
  'menu.labelManage': ['Languages and texts', '语言与文案'],
  'menu.centre': ['Tasks and messages', '任务与消息'],
  'menu.message': ['Messages', '消息'],
  'menu.managerMessage': ['Messages', '消息'],
  'menu.taskExport': ['My tasks', '我的任务'],
});
