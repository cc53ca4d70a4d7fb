import { HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import { helpCategoryCalls } from '@mooring/contract/help/category';
import { helpMachine } from '@mooring/contract/help/state-machines';
import { listPage } from '../../kit/list/list-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { Categories, CategoryTree } from './categories.tsx';
import { articlePath, CONSOLE, editPath } from './paths.ts';
import { nameOf, useWords } from './words.ts';

function Title({ row }: { row: { readonly title: string; readonly newer: boolean } }) {
  const t = useT();
  const words = useWords();
  return (
    <span className="m-row">
      <span className="m-clip">{words(row.title)}</span>
      {row.newer ? <Tag tone="warn">{t('helpArticle.newer')}</Tag> : null}
    </span>
  );
}
function CategoryName({ name }: { name: string }) {
  return useWords()(name);
}

const listed = listPage(HelpArticle, helpArticleCalls, {
  code: 'help.articles',
  path: CONSOLE,
  editPath,
  open: articlePath,
  columns: [
    { key: 'title', width: 240, cell: (row) => <Title row={row} /> },
    { key: 'state', width: 160 },
    { key: 'version', width: 90 },
    { key: 'helpful', width: 110 },
    { key: 'unhelpful', width: 130 },
    { key: 'updatedAt', width: 150 },
    { key: 'categoryName', off: true, cell: (row) => <CategoryName name={row.categoryName} /> },
    off('key'),
    off('titleZh'),
    off('position'),
    off('manual'),
    off('open'),
    off('updatedBy'),
  ],
  filters: [
    { field: 'state', label: 'helpArticle.state', machine: helpMachine as never },
    { field: 'manual', label: 'helpArticle.manual', kind: 'yes' },
    { field: 'open', label: 'helpArticle.open', kind: 'yes' },
  ],
  actions: [
    { key: 'categories', aside: true, label: 'helpCategory.many', call: helpCategoryCalls.update, Dialog: Categories },
    { key: 'add', label: 'helpArticle.add', icon: 'add', primary: true, call: helpArticleCalls.add, to: `${CONSOLE}/new` },
  ],
  moves: {
    publish: { successText: 'helpArticle.published', icon: 'send' },
    withdraw: {
      successText: 'helpArticle.withdrawn',
      icon: 'cancel',
      danger: true,
      confirm: { text: 'helpArticle.withdraw.about', keep: 'helpArticle.withdraw.keep' },
    },
  },
  deleting: { text: 'helpArticle.delete.about' },
  nameOf,
  empty: { title: 'helpArticle.empty', text: 'helpArticle.emptyText', icon: 'help' },
});

/** Categories on the left, the articles of the chosen one beside them. */
function Console() {
  const t = useT();
  const view = useView();
  const category = Number(view.search.get('category') ?? 0);
  return (
    <div className="m-page">
      <PageHead title={t('helpArticle.many')}>
        <PageActions actions={listed.spec.actions ?? []} addressed />
      </PageHead>
      <div className="m-tree-beside">
        <CategoryTree
          current={category}
          onPick={(id) => chooseSearch(view, new URLSearchParams(id === 0 ? {} : { category: String(id) }), false)}
        />
        <ListView key={category} spec={listed.spec} {...(category > 0 ? { fixed: { categoryId: category } } : {})} />
      </div>
    </div>
  );
}

export const helpList = { View: Console, actions: listed.spec.actions ?? [] };
