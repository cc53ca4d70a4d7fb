import { texts } from '../kit/texts.ts';

export const firmwareTexts = texts({
  'life.package.unpublished': ['Unpublished', '未发布'],
  'life.package.published': ['Published', '已发布'],
  'life.package.publishing': ['Publishing', '发布中'],
  'life.package.partly': ['Partly published', '部分发布'],
  'event.package.publish': ['Publish', '发布'],
  'event.package.unpublish': ['Unpublish', '取消发布'],
  'fault.PACKAGE_EXISTS': ['This version is there already.', '该版本已存在。'],
  'fault.FILE_NOT_READY': ['The file is not completely uploaded.', '文件尚未上传完成。'],
  'fault.FILE_WRONG_KIND': ['This is not a firmware file.', '不是固件文件。'],
  'fault.PACKAGE_IN_USE': ['A task that is not finished uses this package.', '该固件包正被未完成的任务使用。'],
  'fault.PACKAGE_PUBLISHED': ['Unpublish it first.', '请先取消发布。'],
  'fault.PACKAGE_NOT_PUBLISHED': ['The package is not published.', '固件包未发布。'],
  'fault.NO_DEVICES': ['No device matches.', '没有匹配的设备。'],
  'fault.SCOPE_EMPTY': ['Choose at least one condition.', '请至少选择一个条件。'],
  'fault.EXPIRY_PAST': ['The expiry lies in the past or before the start.', '到期时间早于当前或开始时间。'],
  'fault.TASK_NOT_EDITABLE': ['Only a draft can be edited.', '只有草稿可以编辑。'],
  'fault.TASK_NOT_DELETABLE': ['Only drafts and ended tasks can be deleted.', '只能删除草稿或已结束的任务。'],
  'fault.TASK_EXPIRED': ['The task has expired; make a new one.', '任务已过期，请新建任务。'],
  'invalid.base': ['A diff package needs the version it starts from, a full package has none.', '差分包需要基础版本，完整包不需要。'],
});
