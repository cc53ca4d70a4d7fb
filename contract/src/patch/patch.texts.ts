import { texts } from '../kit/texts.ts';

export const patchTexts = texts({
  'patch.task.title': ['Patch releases', '补丁任务'],
  'patch.task.empty': ['No patch releases yet', '暂无补丁任务'],
  'patch.package.title': ['Patch packages', '补丁包'],
  'patch.package.empty': ['No patch packages yet', '暂无补丁包'],
  'patch.package.emptyText': ['Upload the first patch file for a product.', '上传产品的第一个补丁文件。'],
});
