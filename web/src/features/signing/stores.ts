import { KeyStore, keyStoreCalls } from '@mooring/contract/signing/key-store';
import { useDepts } from '../../kit/choices.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StoreKind } from './token.tsx';

export const storeForm = formDialogs(KeyStore, keyStoreCalls, {
  fields: [
    'name',
    { name: 'deptId', kind: 'one', useChoices: useDepts, own: true },
    { name: 'kind', Control: StoreKind, wide: true },
    { name: 'remark', kind: 'area' },
  ],
});

export const keysOfStore = ({ id }: { readonly id: number }) => `/keyStoreAdd?tab=keys&k.storeId=${id}`;

export const stores = listOf(KeyStore, keyStoreCalls, {
  code: 'signing.stores',
  columns: [
    { key: 'name', link: keysOfStore, width: 220 },
    { key: 'deptName', width: 200 },
    { key: 'kind', width: 160 },
    { key: 'keys', width: 90 },
    { key: 'remark', width: 260 },
    off('createdBy'),
    'createdAt',
  ],
  edit: storeForm.edit,
  open: keysOfStore,
  deleting: { text: 'keyStore.delete.about' },
  empty: { title: 'keyStore.empty', text: 'keyStore.emptyText', icon: 'key' },
});
