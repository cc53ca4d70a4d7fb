import type { OutputOf } from '@mooring/contract/kit/call';
import { SigningKey, signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import type { StoreKind } from '@mooring/contract/signing/limits';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useT } from '../../ui/words.ts';

export const keyPath = ({ id }: { readonly id: number }) => `/keypairAdd/${id}`;

function useStoresThat(text: string, take: (kind: StoreKind) => boolean) {
  const found = useCall(keyStoreCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? [])
      .filter((one) => take(one.kind))
      .map((one) => ({ value: one.id, label: { text: `${one.name} · ${one.deptName}` } })),
    busy: found.fetching,
    madeOn: ['keyStore'] as const,
  };
}
export const useStores = (text: string) => useStoresThat(text, () => true);
/** Key files come into those alone. */
export const useSoftwareStores = (text: string) => useStoresThat(text, (kind) => kind === 'software');

type Brief = OutputOf<typeof signingKeyCalls.list>[number];
export const useKeys = (text: string) => useKeysThat(text, () => true);
export function useKeysThat(text: string, take: (key: Brief) => boolean) {
  const t = useT();
  const named = ({ name: own, storeName, notAfter }: Brief) => {
    const name = `${own} · ${storeName}`;
    return new Date(notAfter).getTime() > Date.now() ? name : t('signingJob.keyOver', { name });
  };
  const found = useCall(signingKeyCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).filter(take).map((one) => ({ value: one.id, label: { text: named(one) } })),
    busy: found.fetching,
    madeOn: ['keyStore'] as const,
  };
}

export const keys = listOf(SigningKey, signingKeyCalls, {
  code: 'signing.keys',
  texts: { add: 'signingKey.generate', edit: 'signingKey.policy.edit', delete: 'event.signingKey.destroy' },
  columns: [
    { key: 'name', link: keyPath, width: 200 },
    { key: 'state', width: 190 },
    { key: 'algorithm', width: 120 },
    { key: 'storeName', width: 170 },
    { key: 'subject', width: 260 },
    { key: 'notAfter', width: 170 },
    { key: 'uses', width: 90 },
    off('storeKind'),
    off('deptName'),
    off('fingerprint'),
    off('certificateSha256'),
    off('issuer'),
    off('origin'),
    off('exportable'),
    off('createdBy'),
    off('createdAt'),
  ],
  filters: [
    { field: 'state', label: 'signingKey.state', machine: SigningKey.machine },
    { field: 'algorithm', label: 'signingKey.algorithm', names: 'signingKey.algorithm.' },
    { field: 'storeId', label: 'signingKey.storeId', useChoices: useStores },
  ],
  open: keyPath,
  empty: { title: 'signingKey.empty', text: 'signingKey.emptyText', icon: 'key' },
});
