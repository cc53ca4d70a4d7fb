import { texts } from '../kit/texts.ts';

export const moduleTexts = texts({
  'invalid.partName': ['Letters, digits, dot, dash and underscore; at most 32.', '仅限字母、数字、点、横线和下划线，最多 32 个字符。'],
  'module.task.title': ['Module releases', '模块任务'],
  'module.task.empty': ['No module releases yet', '暂无模块任务'],
  'module.package.title': ['Module packages', '模块包'],
  'module.package.name': ['Module', '模块'],
  'module.package.nameHelp': [
    'As terminals report it, such as sp or modem: see Versions on the page of a terminal.',
    '与终端上报的名称一致，例如 sp 或 modem：见终端详情的“版本”。',
  ],
  'module.package.empty': ['No module packages yet', '暂无模块包'],
  'module.package.emptyText': ['Upload the first module file for a product.', '上传产品的第一个模块文件。'],
});
