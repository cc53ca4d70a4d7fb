import { deptCalls } from '@mooring/contract/org/calls';
import { ListPart } from '../../kit/list/list-part.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useCall } from '../../kit/queries.ts';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { deptInvites } from './dept-invites.tsx';
import { deptList } from './dept-list.tsx';
import { Applications, trusts } from './dept-lists.tsx';
import { DeptPanel } from './dept-panel.tsx';
import { DeptTree } from './dept-tree.tsx';

const tabs = ['units', 'list', 'applications', 'invites', 'trust'] as const;

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

function Depts() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab === view.search.get('tab')) ?? 'units';
  const body = {
    units: <Units />,
    list: <ListPart spec={deptList} queryPrefix="l." />,
    applications: <Applications />,
    invites: <ListPart spec={deptInvites} queryPrefix="i." />,
    trust: <ListView spec={trusts} queryPrefix="t." />,
  }[active];
  return (
    <div className="m-page">
      <PageHead title={t('org.title')} />
      <Tabs
        active={active}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'units' ? {} : { tab: key }))}
        items={tabs.map((key) => ({ key, label: t(`org.tab.${key}`), children: key === active ? body : null }))}
      />
    </div>
  );
}

export const deptPage = { View: Depts };
