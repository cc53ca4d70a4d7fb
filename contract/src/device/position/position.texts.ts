import { texts } from '../../kit/texts.ts';

export const positionTexts = texts({
  'invalid.area': ['Draw an outline of at least three corners that doesn’t go round a pole.', '请绘制至少包含三个角点且不环绕极点的区域。'],
  'position.title': ['Position', '位置'],
  'position.at': ['Time', '时间'],
  'position.accuracy': ['Accuracy', '精度'],
  'position.accuracy.metres': ['±{metres} m', '±{metres} 米'],
  'position.source': ['Source', '来源'],
  'position.source.gps': ['GPS', 'GPS'],
  'position.source.wifi': ['Wi-Fi', 'Wi-Fi'],
  'position.source.cell': ['Cell tower', '基站'],
  'position.source.network': ['Network', '网络'],
  'position.source.manual': ['Set by hand', '手动设置'],
  'position.source.unknown': ['Not stated', '未说明'],
  'position.source.shop': ['Position of the shop', '门店位置'],
  'position.source.merchant': ['Position of the merchant', '商户位置'],
  'position.coordinates': ['Latitude, longitude', '纬度，经度'],
  'position.day': ['Period', '时间段'],
  'position.assumed': [
    'The terminal has not reported a position. The position of “{name}” is shown instead.',
    '该终端未上报位置，显示“{name}”的位置。',
  ],
  'position.none': ['No position', '暂无位置'],
  'position.none.neverSeen': [
    'The terminal has not connected yet. It reports its position when it does.',
    '该终端尚未连接，连接后会上报位置。',
  ],
  'position.none.notTold': [
    'The terminal reports no position. Assign it to a shop whose latitude and longitude are known.',
    '该终端未上报位置。可将其分配到已填写经纬度的门店。',
  ],
  'position.none.shopWithout': [
    'The terminal reports no position, and its merchant and shop have none. Enter their latitude and longitude.',
    '该终端未上报位置，其商户和门店也没有经纬度，请为其填写。',
  ],
  'position.assign': ['Merchant and shop', '商户和门店'],
  'position.track': ['Track', '轨迹'],
  'position.track.none': ['No movements in this period', '该时间段内没有轨迹'],
  'position.track.noneText': [
    'A point is kept when a terminal has moved more than 100 m, and every 6 hours while it stays.',
    '终端移动超过 100 米时记录一个点；静止时每 6 小时记录一次。',
  ],
  'position.track.drawn': ['{drawn} of {total} points drawn', '已绘制 {drawn} / {total} 个点'],
  'work.export.track': ['Track of a terminal', '终端轨迹'],
});
