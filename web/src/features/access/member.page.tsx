import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { LeftOut } from './left-out.tsx';
import { MemberDialogs } from './member-dialogs.tsx';
import { invitations, members } from './member-list.tsx';

function Members() {
  const t = useT();
  const view = useView();
  const active = view.search.get('tab') === 'invites' ? 'invites' : 'people';
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('member.title')}>
        <PageActions actions={members.actions ?? []} addressed />
      </PageHead>
      <LeftOut />
      <Tabs
        active={active}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'invites' ? { tab: 'invites' } : {}))}
        items={[
          { key: 'people', label: t('member.tab.people'), children: active === 'people' ? <ListView spec={members} /> : null },
          {
            key: 'invites',
            label: t('member.tab.invites'),
            children: active === 'invites' ? <ListView spec={invitations} queryPrefix="i." /> : null,
          },
        ]}
      />
      <MemberDialogs />
    </div>
  );
}

export const memberPage = { View: Members, actions: members.actions ?? [] };
