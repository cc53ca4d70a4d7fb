import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { ListView } from '../../kit/list/list-view.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
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

const Above = () => (
  <>
    <storeForm.Edit />
    <TokenState />
  </>
);

/** The stores of the organisations in range, the keys in them, and what waits for a second person. */
export const keyStorePage = tabsPage({ title: 'keyStore.title', tabs, actions, Above: Above });
