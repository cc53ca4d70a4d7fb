import { texts } from './texts.ts';

/** Saved views of lists. */
export const viewTexts = texts({
  'kit.views.title': ['Views', '视图'],
  'kit.views.none': ['No saved views', '暂无已存视图'],
  'kit.views.noneText': [
    'A view keeps the filters, the order and the columns that a list has now.',
    '视图保存列表当前的筛选、排序和列设置。',
  ],
  'kit.views.save': ['Save view', '保存视图'],
  'kit.views.saveNow': ['Save these filters as a view', '将当前筛选保存为视图'],
  'kit.views.manage': ['Manage views', '管理视图'],
  'kit.views.name': ['Name', '名称'],
  'kit.views.shared': ['Share with the organisation', '与机构共享'],
  'kit.views.shared.help': [
    'People of this organisation and of those below it can choose the view.',
    '该机构及其下级机构的所有人员均可选择此视图。',
  ],
  'kit.views.isShared': ['Shared', '已共享'],
  'kit.views.by': ['Shared by {name}', '由 {name} 共享'],
  'kit.views.own': ['Yours', '自己的'],
  'kit.views.whose': ['From', '来源'],
  'kit.views.default': ['Opens with the list', '打开列表时使用'],
  'kit.views.makeDefault': ['Open the list with it', '设为默认'],
  'kit.views.noDefault': ['Open the list without it', '取消默认'],
  'kit.views.rename': ['Edit view', '编辑视图'],
  'kit.views.replace': ['Keep the present filters, order and columns', '改为当前的筛选、排序和列'],
  'kit.views.delete': ['Delete view', '删除视图'],
  'kit.views.delete.about': ['{name} will be deleted, also for those whom it is shared with.', '{name} 将被删除，共享对象也将无法使用。'],
  'kit.views.saved': ['View “{name}” saved', '视图“{name}”已保存'],
  'kit.views.deleted': ['View “{name}” deleted', '视图“{name}”已删除'],
  'kit.views.lost': [
    'This view also filters by something that the list no longer has: {names}. The rest is shown.',
    '此视图还包含列表已不支持的筛选：{names}，其余条件已生效。',
  ],
  'fault.VIEW_NAME_TAKEN': ['You already have a view of this name.', '您已有同名视图。'],
  'fault.VIEW_MOST': ['You have 100 views of this list already. Delete one first.', '此列表最多可保存 100 个视图，请先删除。'],
});
