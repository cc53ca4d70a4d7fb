import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { KeyChanges } from './changes.tsx';
import { GenerateKey } from './generate-key.tsx';
import { ImportKey } from './import-key.tsx';
import { keys } from './keys.ts';
import { storeForm, stores } from './stores.ts';
import { TokenState } from './token.tsx';

const tabs = [
  { key: 'stores', title: 'keyStore.title', Body: () => <ListView spec={stores} queryPrefix="s." /> },
  { key: 'keys', title: 'signingKey.title', Body: () => <ListView spec={keys} queryPrefix="k." /> },
  { key: 'changes', title: 'keyChange.title', Body: () => <KeyChanges /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'store', label: 'keyStore.add', icon: 'add', call: keyStoreCalls.add, Dialog: storeForm.Add },
  { key: 'import', label: 'signingKey.import', icon: 'upload', call: signingKeyCalls.import, Dialog: ImportKey },
  { key: 'generate', label: 'signingKey.generate', icon: 'key', primary: true, call: signingKeyCalls.generate, Dialog: GenerateKey },
];

/** The stores of the organisations in range, the keys in them, and what waits for a second person. */
function KeyStores() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('keyStore.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <storeForm.Edit />
      <TokenState />
      <Tabs
        active={active.key}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.Body /> : null }))}
      />
    </div>
  );
}

export const keyStorePage = { View: KeyStores, actions };
