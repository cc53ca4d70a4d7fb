import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { Blackout } from './calls.ts';

export const blackoutTexts = texts({
  'blackout.title': ['Blackout dates', '禁止安装日期'],
  'blackout.empty': ['No blackout dates', '暂无禁止安装日期'],
  'blackout.emptyText': [
    'On blackout dates no release installs anything on terminals, for example before holidays.',
    '在禁止安装日期，任何任务都不会在终端上安装，例如节假日前。',
  ],
  'blackout.add': ['Add blackout dates', '添加禁止安装日期'],
  'blackout.edit': ['Edit blackout dates', '编辑禁止安装日期'],
  'blackout.delete': ['Delete', '删除'],
  'blackout.delete.about': [
    'Releases may install on these dates again, including those that already wait on terminals.',
    '任务将可以在这些日期安装，包括已在终端上等待的任务。',
  ],
  'blackout.search': ['Name', '名称'],
  'blackout.name': ['Name', '名称'],
  'blackout.fromDay': ['First day', '开始日期'],
  'blackout.toDay': ['Last day', '结束日期'],
  'blackout.toDay.help': [
    'By each terminal’s own calendar. Releases that already wait on terminals follow it, too.',
    '按各终端的本地日期计算，对已在终端上等待的任务同样生效。',
  ],
  'blackout.deptId': ['Organisation', '机构'],
  'blackout.deptId.help': ['It holds for the terminals of this organisation and of all below it.', '适用于该机构及其所有下级机构的终端。'],
  'blackout.remark': ['Remark', '备注'],
  'invalid.blackoutOrder': ['The last day is before the first.', '结束日期早于开始日期。'],
  'invalid.blackoutLong': ['At most 60 days. Add longer ones in parts.', '最多60天，更长的请分段添加。'],
  'invalid.blackoutPast': ['The last day has passed.', '结束日期已过。'],
}) satisfies FieldTexts<typeof Blackout>;
