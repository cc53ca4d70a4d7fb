import type { Call } from '@mooring/contract/kit/call';
import type { ComponentType } from 'react';
import { Tabs } from '../ui/tabs.tsx';
import { type TextKey, useT } from '../ui/words.ts';
import { bindPage } from './bind-page.ts';
import { PageActions } from './list/page-actions.tsx';
import type { PageAction } from './list/types.ts';
import { PageHead } from './page-head.tsx';
import type { Page } from './route.ts';
import { mayCall, useSession } from './session.ts';
import { chooseSearch, searchNow, useView, type View } from './view.ts';

interface PageTab {
  readonly key: string;
  readonly title: TextKey;
  readonly Body: ComponentType;
  /** Behind its title, whether it is open or not: how many there are. */
  readonly Count?: ComponentType;
  /** Shown to who may make this call. */
  readonly call?: Call;
  /** In place of the page's, and beside them what is no action. */
  readonly actions?: readonly PageAction[];
  readonly Acts?: ComponentType;
}
interface TabsSpec {
  readonly title: TextKey;
  readonly tabs: readonly [PageTab, ...PageTab[]];
  readonly actions?: readonly PageAction[];
  /** Between the head and the tabs: figures, or the dialogs of the lists. */
  readonly Above?: ComponentType;
  /** What another tab leaves behind in the address beside its own name; all of it otherwise. */
  readonly clears?: readonly string[];
  /** A lone tab needs no heading. */
  readonly untitled?: boolean;
  /** Its tabs are as high as what stands in them, not as the window. */
  readonly flows?: boolean;
}

/** The first tab has no name in the address. */
function openTab(view: View, key: string | undefined, clears: readonly string[] | undefined): void {
  const search = clears ? searchNow(view) : new URLSearchParams();
  for (const name of ['tab', ...(clears ?? [])]) search.delete(name);
  if (key !== undefined) search.set('tab', key);
  chooseSearch(view, search);
}

function TabsScreen({ title, tabs, actions = [], Above, clears, untitled = false, flows = false }: TabsSpec) {
  const t = useT();
  const view = useView();
  const session = useSession();
  const shown = tabs.filter(({ call }) => mayCall(call, session));
  const active = shown.find(({ key }) => key === view.search.get('tab')) ?? shown[0] ?? tabs[0];
  const { Acts } = active;
  return (
    <div className={flows ? 'm-page' : 'm-page m-page-fill'}>
      <PageHead title={t(title)}>
        {Acts ? <Acts /> : null}
        <PageActions actions={active.actions ?? actions} addressed />
      </PageHead>
      {Above ? <Above /> : null}
      <Tabs
        active={active.key}
        untitled={untitled}
        onChange={(key) => openTab(view, key === shown[0]?.key ? undefined : key, clears)}
        items={shown.map(({ key, title: name, Body, Count }) => ({
          key,
          label: t(name),
          badge: Count ? <Count /> : null,
          children: key === active.key ? <Body /> : null,
        }))}
      />
    </div>
  );
}

/** A page of tabs that the address holds; what is on a tab that isn't open isn't asked for. */
export const tabsPage = (spec: TabsSpec): Page => ({
  ...bindPage(TabsScreen, spec),
  actions: spec.actions ?? spec.tabs[0].actions ?? [],
});
