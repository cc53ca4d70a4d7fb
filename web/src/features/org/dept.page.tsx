import { deptCalls } from '@mooring/contract/org/calls';
import { ListPart } from '../../kit/list/list-part.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { useCall } from '../../kit/queries.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { deptInvites } from './dept-invites.tsx';
import { deptList } from './dept-list.tsx';
import { Applications, trusts } from './dept-lists.tsx';
import { DeptPanel } from './dept-panel.tsx';
import { DeptTree } from './dept-tree.tsx';

function Units() {
  const view = useView();
  const root = useCall(deptCalls.tree, {});
  const named = Number(view.search.get('id') ?? 0);
  const id = named > 0 ? named : root.data?.nodes[0]?.id;
  const pick = (next: number) => chooseSearch(view, new URLSearchParams({ id: String(next) }), false);
  return (
    <div className="m-tree-beside">
      <DeptTree current={id} onPick={pick} />
      <DeptPanel key={id} id={id} onPick={pick} />
    </div>
  );
}

export const deptPage = tabsPage({
  title: 'org.title',
  flows: true,
  tabs: [
    { key: 'units', title: 'org.tab.units', Body: Units },
    { key: 'list', title: 'org.tab.list', Body: () => <ListPart spec={deptList} queryPrefix="l." /> },
    { key: 'applications', title: 'org.tab.applications', Body: Applications },
    { key: 'invites', title: 'org.tab.invites', Body: () => <ListPart spec={deptInvites} queryPrefix="i." /> },
    { key: 'trust', title: 'org.tab.trust', Body: () => <ListView spec={trusts} queryPrefix="t." /> },
  ],
});
