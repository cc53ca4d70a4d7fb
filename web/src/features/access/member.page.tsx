import { ListView } from '../../kit/list/list-view.tsx';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { LeftOut } from './left-out.tsx';
import { MemberDialogs } from './member-dialogs.tsx';
import { invitations, members } from './member-list.tsx';

export const memberPage = tabsPage({
  title: 'member.title',
  actions: members.actions ?? [],
  Above: () => (
    <>
      <LeftOut />
      <MemberDialogs />
    </>
  ),
  tabs: [
    { key: 'people', title: 'member.tab.people', Body: () => <ListView spec={members} /> },
    { key: 'invites', title: 'member.tab.invites', Body: () => <ListView spec={invitations} queryPrefix="i." /> },
  ],
});
