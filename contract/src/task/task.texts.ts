import { texts } from '../kit/texts.ts';

export const generalTaskTexts = texts({
  'task.title': ['General releases', '综合任务'],
  'task.empty': ['No general releases yet', '暂无综合任务'],
  'task.emptyText': ['Choose what to send to terminals, then release it.', '选择要下发的内容后即可创建任务。'],
  'task.kind': ['Kind', '任务类型'],
  'task.choose': ['What do you want to release?', '请选择任务类型'],
  'task.kind.androidParam': ['Android parameters', 'Android 参数'],
  'task.kind.storeAdvertSpace': ['Adverts', '广告'],
  'task.kind.systemCustomization': ['System customization', '系统定制'],
  'task.kind.customizeDesktop': ['Desktop', '桌面'],
});
