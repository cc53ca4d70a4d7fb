import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { DeviceGroup } from './group-calls.ts';

export const deviceGroupTexts = texts({
  'deviceGroup.title': ['Groups', '终端分组'],
  'deviceGroup.empty': ['No groups', '暂无分组'],
  'deviceGroup.emptyText': [
    'A group names terminals for lists and releases: chosen one by one, or whoever meets a rule.',
    '分组用于在列表和任务中指定终端：可逐台选择，也可按规则自动归入。',
  ],
  'deviceGroup.add': ['Add group', '添加分组'],
  'deviceGroup.edit': ['Edit group', '编辑分组'],
  'deviceGroup.delete': ['Delete', '删除'],
  'deviceGroup.delete.about': [
    '{name} will be deleted. Its terminals stay, and so do releases that have already chosen theirs.',
    '{name} 将被删除。其终端不受影响，已选定终端的任务也不受影响。',
  ],
  'deviceGroup.search': ['Name', '名称'],
  'deviceGroup.name': ['Name', '名称'],
  'deviceGroup.kind': ['Type', '类型'],
  'deviceGroup.kind.static': ['Static', '静态'],
  'deviceGroup.kind.rule': ['By rule', '按规则'],
  'deviceGroup.rule': ['Rule', '规则'],
  'deviceGroup.rule.matching': [
    '{n, plural, one {{count} terminal meets this rule now.} other {{count} terminals meet this rule now.}}',
    '{n, plural, other {当前有 {count} 台终端符合该规则。}}',
  ],
  'deviceGroup.rule.unread': [
    'A condition of this rule is no longer offered. No terminal meets the rule until it is changed.',
    '该规则含有已不再提供的条件，修改前没有终端符合该规则。',
  ],
  'deviceGroup.notCarried': ['A group can’t ask for these filters, they are left out: {names}', '分组不支持以下筛选，将被忽略：{names}'],
  'deviceGroup.rule.none': ['Set at least one condition.', '请至少设置一个条件。'],
  'deviceGroup.deptId': ['Owner', '归属机构'],
  'deviceGroup.deptId.help': [
    'Terminals of this organisation and of all below it can be in the group.',
    '该机构及其所有下级机构的终端可加入此分组。',
  ],
  'deviceGroup.members': ['Terminals', '终端数'],
  'deviceGroup.usedBy': ['Used by', '使用者'],
  'deviceGroup.remark': ['Remark', '备注'],
  'deviceGroup.terminals': ['Terminals', '终端'],
  'deviceGroup.none': ['No terminals in this group', '此分组暂无终端'],
  'deviceGroup.noneText': [
    'Add terminals by their serial numbers, or select them in the list of terminals.',
    '可按序列号添加终端，或在终端列表中选择。',
  ],
  'deviceGroup.noneMeets': ['No terminal meets the rule now.', '当前没有终端符合该规则。'],
  'deviceGroup.release': ['Release to this group', '向此分组发布'],
  'deviceGroup.fromFilters': ['Save filters as group', '将筛选保存为分组'],
  'deviceGroup.put': ['Add to group', '加入分组'],
  'deviceGroup.sns.add': ['Add by serial number', '按序列号添加'],
  'deviceGroup.sns': ['Serial numbers', '序列号'],
  'deviceGroup.sns.help': ['One per line, or read from a text or CSV file', '每行一个，或从文本、CSV 文件读取'],
  'deviceGroup.sns.added': [
    '{n, plural, one {# terminal added to the group} other {# terminals added to the group}}',
    '{n, plural, other {已将 # 台终端加入分组}}',
  ],
  'deviceGroup.sns.refused': [
    '{n, plural, one {# serial number can’t be added. Nothing has been added yet.} other {# serial numbers can’t be added. Nothing has been added yet.}}',
    '{n, plural, other {有 # 个序列号无法添加，尚未添加任何终端。}}',
  ],
  'deviceGroup.sns.others': ['{n, plural, one {Add the other one} other {Add the other #}}', '{n, plural, other {添加其余 # 个}}'],
  'deviceGroup.sns.reason': ['Reason', '原因'],
  'deviceGroup.sns.wrong': ['Not a serial number', '不是有效的序列号'],
  'deviceGroup.sns.twice': ['Listed more than once', '重复列出'],
  'deviceGroup.sns.unknown': ['No such terminal', '没有此终端'],
  'deviceGroup.sns.outside': ['Belongs to an organisation outside the group’s range', '所属机构不在此分组范围内'],
  'deviceGroup.sns.full': ['Is in 200 groups already', '已加入 200 个分组'],
  'fault.GROUP_NAME_TAKEN': ['This organisation already has a group of this name.', '该机构已有同名分组。'],
  'fault.GROUP_IN_USE': [
    '“{name}” is for this group: an open release, a geofence or an alert rule. The group can be deleted once that has ended or no longer uses it.',
    '“{name}”（进行中的任务、地理围栏或告警规则）正在使用此分组，待其结束或不再使用后才能删除。',
  ],
  'fault.GROUP_RULES_MANY': [
    'There are {most} groups by rule already in this organisation, those above and those below it. Delete one first.',
    '该机构及其上下级机构已有 {most} 个按规则的分组，请先删除一个。',
  ],
  'fault.GROUP_ELSEWHERE': ['A group chosen here doesn’t take terminals of this organisation.', '所选分组不包含该机构的终端。'],
  'fault.GROUP_BY_RULE': ['Terminals come into this group by its rule alone.', '该分组仅按规则归入终端。'],
  'invalid.emptyRule': ['Set at least one condition.', '请至少设置一个条件。'],
  'device.groups': ['Groups', '分组'],
  'device.bulk.addToGroup': [
    '{n, plural, one {Add {count} terminal to group} other {Add {count} terminals to group}}',
    '{n, plural, other {将 {count} 台终端加入分组}}',
  ],
  'device.bulk.removeFromGroup': [
    '{n, plural, one {Remove {count} terminal from group} other {Remove {count} terminals from group}}',
    '{n, plural, other {将 {count} 台终端移出分组}}',
  ],
  'device.done.groupedMany': [
    '{done, plural, one {# terminal added to the group} other {# terminals added to the group}}',
    '{done, plural, other {已将 # 台终端加入分组}}',
  ],
  'device.done.ungroupedMany': [
    '{done, plural, one {# terminal removed from the group} other {# terminals removed from the group}}',
    '{done, plural, other {已将 # 台终端移出分组}}',
  ],
  'work.device.addToGroup': ['Add terminals to group', '将终端加入分组'],
  'work.device.removeFromGroup': ['Remove terminals from group', '将终端移出分组'],
}) satisfies FieldTexts<typeof DeviceGroup>;
