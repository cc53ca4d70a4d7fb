import { texts } from '../kit/texts.ts';

export const networkConfigTexts = texts({
  'invalid.ssid': ['A Wi-Fi name has at most 32 bytes.', 'Wi-Fi 名称最多 32 字节。'],
  'networkConfig.task.title': ['Network settings', '网络配置'],
  'networkConfig.task.empty': ['No network settings released yet', '暂无网络配置任务'],
  'networkConfig.task.emptyText': ['Choose which networks terminals may use, then release it.', '选择终端可用的网络后即可下发。'],
  'networkConfig.setting': ['Setting', '配置项'],
  'networkConfig.setting.wifiWhitelist': ['Allowed Wi-Fi networks', 'Wi-Fi 白名单'],
  'networkConfig.setting.hotspot': ['Hotspot', '热点开关'],
  'networkConfig.ssids': ['Wi-Fi networks', 'Wi-Fi 网络'],
  'networkConfig.ssidsHelp': ['Names as terminals see them; a terminal joins no others.', '终端可见的名称；终端不会连接其他网络。'],
  'networkConfig.hotspot': ['Hotspot may be switched on', '允许开启热点'],
});
