import { messageCalls } from '@mooring/contract/message/calls';
import { useState } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useAct } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
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

function Messages() {
  const t = useT();
  const view = useView();
  const now = useSession();
  const sends = mayCall(messageCalls.sent, now);
  const asked = view.search.get('tab');
  const active = asked === 'notices' || (sends && asked === 'sent') ? asked : 'mine';
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('message.title')}>
        {active === 'notices' ? null : <DeleteMany />}
        <PageActions actions={active === 'notices' ? (ownNotices.actions ?? []) : (mine.actions ?? [])} addressed />
      </PageHead>
      <Tabs
        active={active}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'mine' ? {} : { tab: key }))}
        items={[
          { key: 'mine', label: t('message.tab.mine'), children: active === 'mine' ? <ListView spec={listOf} /> : null },
          {
            key: 'notices',
            label: t('message.tab.notices'),
            children: active === 'notices' ? <ListView spec={ownNotices} queryPrefix="n." /> : null,
          },
          ...(sends
            ? [
                {
                  key: 'sent',
                  label: t('message.tab.sent'),
                  children: active === 'sent' ? <ListView spec={sent} queryPrefix="s." /> : null,
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

export const messagePage = { View: Messages, actions: mine.actions ?? [] };
