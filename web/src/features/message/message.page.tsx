import { messageCalls } from '@mooring/contract/message/calls';
import { useState } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import { useAct } from '../../kit/queries.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { useT } from '../../ui/words.ts';
import { mine, sent } from './message-lists.tsx';
import { ownNotices } from './own-notices.tsx';

const whiches = ['read', 'unread', 'all'] as const;
const listOf = { ...mine, actions: [] };

/** Deletes all, all read or all unread of one's own. */
function DeleteMany() {
  const t = useT();
  const [asked, setAsked] = useState<(typeof whiches)[number]>();
  const act = useAct(messageCalls.deleteMany, {
    successText: ({ changed }) => ({ key: 'message.deleted', params: { count: changed } }),
    done: () => setAsked(undefined),
  });
  return (
    <>
      <MenuButton items={whiches.map((which) => ({ key: which, label: t(`message.delete.${which}`), onClick: () => setAsked(which) }))}>
        <Button icon="delete">{t('message.deleteMany')}</Button>
      </MenuButton>
      <Confirm
        open={asked !== undefined}
        title={t(`message.delete.${asked ?? 'all'}`)}
        confirm={t('message.delete')}
        danger
        busy={act.busy}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && act.run({ which: asked })}
      >
        {t('message.delete.about')}
      </Confirm>
    </>
  );
}

export const messagePage = tabsPage({
  title: 'message.title',
  actions: mine.actions ?? [],
  tabs: [
    { key: 'mine', title: 'message.tab.mine', Acts: DeleteMany, Body: () => <ListView spec={listOf} /> },
    {
      key: 'notices',
      title: 'message.tab.notices',
      actions: ownNotices.actions ?? [],
      Body: () => <ListView spec={ownNotices} queryPrefix="n." />,
    },
    {
      key: 'sent',
      title: 'message.tab.sent',
      call: messageCalls.sent,
      // What is marked and deleted is one's own, which isn't here.
      actions: (mine.actions ?? []).filter(({ key }) => key === 'new'),
      Body: () => <ListView spec={sent} queryPrefix="s." />,
    },
  ],
});
