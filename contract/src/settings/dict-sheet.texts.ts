import { texts } from '../kit/texts.ts';

/** Picklist entries in a file, out and back in. */
export const dictSheetTexts = texts({
  'dictSheet.dict': ['Picklist code', '字典编码'],
  'dictSheet.label': ['Label ({language})', '标签（{language}）'],
  'dictSheet.revision': ['Revision', '修订号'],
  'dictSheet.entry': ['Entry', '条目'],
  'dictSheet.import': ['Import entries', '导入条目'],
  'dictSheet.title': ['Import picklist entries', '导入字典条目'],
  'dictSheet.about': [
    'Export the entries of a picklist, edit the file and import it here. Rows whose value a picklist has already change that entry, others add one. What would be added and changed is shown first.',
    '先导出字典的条目，编辑文件后在此导入。字典中已有该值的行将修改对应条目，其余行将新增条目。导入前会显示将新增和修改的内容。',
  ],
  'dictSheet.take': [
    '{count, plural, =0 {Import entries} one {Import 1 entry} other {Import # entries}}',
    '{count, plural, =0 {导入条目} other {导入 # 个条目}}',
  ],
  'dictSheet.added': ['Added', '已添加'],
  'dictSheet.changed': ['Changed', '已修改'],
  'dictSheet.same': ['Nothing to change', '无需修改'],
  'work.import.dictEntry': ['Import picklist entries', '导入字典条目'],
  'fault.DICT_ENTRY_OVERTAKEN': [
    'Someone else has changed this entry since the export. Export again, or clear its revision to overwrite it.',
    '导出后该条目已被他人更改。请重新导出，或清空其修订号以覆盖。',
  ],
});
