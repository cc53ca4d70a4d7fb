import { texts } from '../../kit/texts.ts';

export const driftTexts = texts({
  'drift.title': ['Drift', '配置漂移'],
  'drift.releases': ['Releases', '任务'],
  'drift.search': ['SN', '序列号'],
  'drift.product': ['Product', '产品'],
  'drift.dept': ['Organisation', '机构'],
  'drift.what': ['Released', '下发内容'],
  'drift.found': ['Now on the terminal', '终端当前'],
  'drift.since': ['Since', '开始时间'],
  'drift.releasedAt': ['Released on', '下发时间'],
  'drift.task': ['Release', '任务'],
  'drift.found.none': ['Not set', '未设置'],
  'drift.found.other': ['Other values', '其他内容'],
  'drift.found.noApp': ['Not installed', '未安装'],
  'drift.empty': ['No drift', '无配置漂移'],
  'drift.emptyText': [
    'A terminal is listed here when what it has is no longer what the last successful release left there, for example because someone changed it on the terminal. It leaves the list once it is back as released.',
    '当终端的当前内容与最近一次成功任务下发的内容不一致时（例如在终端上被人更改），会列在此处；恢复一致后自动移出。',
  ],
  'drift.ofDevice': [
    '{count, plural, one {One thing on this terminal is} other {# things on this terminal are}} no longer as released',
    '该终端有 {count} 项与下发内容不一致',
  ],
  'drift.wanted': ['As released', '下发内容'],
  'drift.again': ['Apply again', '重新下发'],
  'drift.againMany': ['Apply again to {count, plural, one {# terminal} other {# terminals}}', '重新下发至 {count} 台终端'],
  'drift.againSure': ['Apply again to {name}?', '确定重新下发至 {name}？'],
  'drift.againText': [
    'A new release of the same content is made for {count, plural, one {this terminal} other {these # terminals}}, in the same window and with the same network and pace. It may be installed over a newer version.',
    '将为 {count} 台终端新建内容相同的任务，沿用原任务的时间窗口、网络和速率，可能覆盖较新的版本。',
  ],
  'drift.againTextOne': [
    'A new release of the same content is made for {name} alone, in the same window and with the same network and pace. It may be installed over a newer version.',
    '将仅为 {name} 新建内容相同的任务，沿用原任务的时间窗口、网络和速率，可能覆盖较新的版本。',
  ],
  'drift.appliedOne': ['Released again to {name}', '已重新下发至 {name}'],
  'drift.appliedMany': ['Released again to {done, plural, one {# terminal} other {# terminals}}', '已重新下发至 {done} 台终端'],
  'drift.waitsOne': ['Submitted for approval. It is released again to {name} once that is given.', '已提交审批，通过后将重新下发至 {name}'],
  'drift.waitsMany': [
    'Submitted for approval. It is released again to {waiting, plural, one {# terminal} other {# terminals}} once that is given.',
    '已提交审批，通过后将重新下发至 {waiting} 台终端',
  ],
  'drift.waitsSome': [
    'Released again to {out, plural, one {# terminal} other {# terminals}}; of {waiting, plural, one {# more} other {# more}} it waits for approval',
    '已重新下发至 {out} 台终端，另有 {waiting} 台待审批',
  ],
  'drift.againWord': ['(again)', '（重新下发）'],
  'fault.DRIFT_MANY_RELEASES': [
    'These were left by more than {most} releases. Filter by release and apply them in parts.',
    '涉及的任务超过 {most} 个，请筛选后分批重新下发。',
  ],
  'fault.DRIFT_NO_PART': [
    'The release is no longer for this terminal, or the terminal lacks what it updates.',
    '该任务已不适用于此终端，或终端缺少对应的部件。',
  ],
  'fault.DRIFT_NOT_SUPPORTED': ['The terminal doesn’t support this kind of release.', '该终端不支持此类任务。'],
  'fault.DRIFT_RELEASE_GONE': ['The release was deleted. Create a new one.', '原任务已删除，请新建任务。'],
  'work.export.drift': ['Drift', '配置漂移'],
});
