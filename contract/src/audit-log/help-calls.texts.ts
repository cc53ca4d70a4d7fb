import { texts } from '../kit/texts.ts';

/** What the log calls the calls of help. */
export const auditHelpCallTexts = texts({
  'log.call./help/context': ['Look up help for a screen', '查看页面帮助'],
  'log.call./help/tree': ['View the contents of help', '查看帮助目录'],
  'log.call./help/search': ['Search help', '搜索帮助'],
  'log.call./help/read': ['Read a help article', '阅读帮助文章'],
  'log.call./help/vote': ['Rate a help article', '评价帮助文章'],
  'log.call./help/file': ['Open a file of a help article', '打开帮助文章附件'],
  'log.call./helpArticle/page': ['View help articles', '查看帮助文章列表'],
  'log.call./helpArticle/detail': ['View a help article', '查看帮助文章'],
  'log.call./helpArticle/export': ['Export help articles', '导出帮助文章'],
  'log.call./helpArticle/add': ['Create a help article', '新建帮助文章'],
  'log.call./helpArticle/update': ['Edit a help article', '编辑帮助文章'],
  'log.call./helpArticle/delete': ['Delete a help article', '删除帮助文章'],
  'log.call./helpArticle/publish': ['Publish a help article', '发布帮助文章'],
  'log.call./helpArticle/withdraw': ['Withdraw a help article', '撤下帮助文章'],
  'log.call./helpArticle/versions': ['View the versions of a help article', '查看帮助文章版本'],
  'log.call./helpArticle/restore': ['Restore a version of a help article', '恢复帮助文章版本'],
  'log.call./helpArticle/takeNewer': ['Use the newer text of a help article', '采用帮助文章的更新文本'],
  'log.call./helpCategory/page': ['View help categories', '查看帮助分类'],
  'log.call./helpCategory/detail': ['View a help category', '查看帮助分类详情'],
  'log.call./helpCategory/export': ['Export help categories', '导出帮助分类'],
  'log.call./helpCategory/add': ['Create a help category', '新建帮助分类'],
  'log.call./helpCategory/update': ['Edit a help category', '编辑帮助分类'],
  'log.call./helpCategory/delete': ['Delete a help category', '删除帮助分类'],
  'log.call./helpCategory/list': ['Look up help categories', '查找帮助分类'],
});
