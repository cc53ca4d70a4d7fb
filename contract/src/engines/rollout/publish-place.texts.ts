import { texts } from '../../kit/texts.ts';

export const publishPlaceTexts = texts({
  'place.title': ['Download locations', '下载位置'],
  'place.own': ['This server', '本服务器'],
  'place.above': ['Download domain of an organization above', '上级机构的下载域名'],
  'place.at': ['Location', '位置'],
  'place.url': ['Address', '地址'],
  'place.state': ['State', '状态'],
  'place.state.waiting': ['Being checked', '检查中'],
  'place.state.there': ['Available', '可用'],
  'place.state.failed': ['Not available', '不可用'],
  'place.attempts': ['Attempts', '尝试次数'],
  'place.triedAt': ['Last checked', '上次检查'],
  'place.problem': ['Problem', '问题'],
  'place.problem.missing': ['The file isn’t there.', '文件不存在。'],
  'place.problem.size': ['The file has another size.', '文件大小不一致。'],
  'place.problem.bytes': ['The file has other content.', '文件内容不一致。'],
  'place.problem.ranges': [
    'Interrupted downloads can’t be resumed there: requests for a part get the whole file.',
    '不支持断点续传：请求部分内容时返回了整个文件。',
  ],
  'place.problem.answer': ['It answers with an error.', '返回错误。'],
  'place.problem.silent': ['It doesn’t answer.', '无响应。'],
  'place.problem.certificate': ['Its certificate isn’t valid.', '证书无效。'],
  'place.problem.inside': [
    'The address is in a private network. Allow it under Settings → Reachable private networks, or turn off “Check when publishing” for this domain.',
    '该地址位于内网。请在“设置 → 允许访问的内网”中添加，或关闭该域名的“发布时检查”。',
  ],
  'place.publishing': [
    'Terminals can be sent this package once it has been checked. A failed check is repeated for some minutes.',
    '检查完成后即可下发该升级包。检查失败时将在数分钟内自动重试。',
  ],
  'place.checking': [
    'It’s being checked again. Its state doesn’t change, and its releases continue.',
    '正在重新检查。期间状态不变，任务照常进行。',
  ],
  'place.started': ['Download locations of {name} are being checked', '正在检查 {name} 的下载位置'],
  'place.partly': [
    'The package can be released. Terminals download it from the locations that have it. Publish again once the problem is solved.',
    '该升级包可以下发，终端将从可用的位置下载。问题解决后请重新发布。',
  ],
  'place.none': ['Locations are checked when the package is published.', '发布时将检查各下载位置。'],
  'message.say.publishFailed.title': ['“{name}” wasn’t published', '“{name}”发布失败'],
  'message.say.publishFailed.text': [
    'This server doesn’t have the complete file. Upload it again and publish the new package.',
    '本服务器上的文件不完整。请重新上传并发布新的升级包。',
  ],
  'message.say.publishPartly.title': ['“{name}” was published in part', '“{name}”已部分发布'],
  'message.say.publishPartly.text': [
    '{failed, plural, one {# download location doesn’t have it} other {# download locations don’t have it}}. Terminals download it from the others. See what failed, then publish it again.',
    '{failed} 个下载位置不可用，终端将从其他位置下载。请查看原因后重新发布。',
  ],
});
