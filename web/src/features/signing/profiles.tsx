import { SigningProfile, signingProfileCalls } from '@mooring/contract/signing/profile';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useKeys } from './keys.ts';

const isOf =
  (...kinds: readonly string[]) =>
  ({ kind }: { readonly kind?: unknown }) =>
    kinds.some((one) => one === kind);

export const profileForm = formDialogs(SigningProfile, signingProfileCalls, {
  wide: true,
  about: 'signingProfile.two',
  fields: [
    'name',
    { name: 'deptId', kind: 'one', useChoices: useDepts, own: true },
    { name: 'kind', kind: 'one' },
    { name: 'productIds', kind: 'multi', useChoices: useProducts },
    { name: 'root', kind: 'area', wide: true, needed: true, when: isOf('chain') },
    { name: 'certificates', kind: 'area', wide: true, needed: true, when: isOf('external') },
    { name: 'keyId', kind: 'one', useChoices: useKeys, when: isOf('chain', 'cms') },
    { name: 'timeUrl', kind: 'text', wide: true },
    {
      name: 'timeRoot',
      kind: 'area',
      wide: true,
      needed: true,
      when: ({ timeUrl }) => typeof timeUrl === 'string' && timeUrl.trim() !== '',
    },
    { name: 'remark', kind: 'area', wide: true },
  ],
});

export function useProfiles(text: string) {
  const found = useCall(signingProfileCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: { text: `${one.name} · ${one.deptName}` } })),
    busy: found.fetching,
    madeOn: ['apkTool?tab=profiles'] as const,
  };
}

const profiles = listOf(SigningProfile, signingProfileCalls, {
  code: 'signing.profiles',
  columns: [
    { key: 'name', width: 200 },
    { key: 'kind', width: 190 },
    { key: 'products', width: 240 },
    { key: 'rootSubject', width: 240 },
    { key: 'keyName', width: 150 },
    { key: 'deptName', width: 170 },
    off('rootSha256'),
    off('signerSubject'),
    off('signerSha256'),
    off('signerEnds'),
    off('timeUrl'),
    off('timeSubject'),
    off('remark'),
    off('createdBy'),
    'createdAt',
  ],
  filters: [
    { field: 'kind', label: 'signingProfile.kind', names: 'signingProfile.kind.' },
    { field: 'deptId', label: 'signingProfile.deptId', useChoices: useDepts },
  ],
  edit: profileForm.edit,
  deleting: { text: 'signingProfile.delete.about' },
  empty: { title: 'signingProfile.empty', text: 'signingProfile.emptyText', icon: 'signature' },
});

export const Profiles = () => <ListView spec={profiles} queryPrefix="p." />;
