import { tokenAdminCalls, tokenCalls } from '@mooring/contract/account/token-calls';
import { useState } from 'react';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import { Value } from '../../kit/list/cells.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { usePermissionChoices, usePermissionNames } from '../../kit/permissions.ts';
import { useSession } from '../../kit/session.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';

type Row = RowOf<typeof tokenCalls.page>;
const tones = { valid: 'good', expired: 'ended', revoked: 'bad' } as const;
function State({ of }: { of: Row['state'] }) {
  const t = useT();
  return <StatusTag tone={tones[of]}>{t(`token.state.${of}`)}</StatusTag>;
}

function Scopes({ of }: { of: Row['scopes'] }) {
  const nameOf = usePermissionNames();
  const names = of.map(nameOf);
  return (
    <span title={names.join('\n')}>
      <Value value={names} kind="tags" />
    </span>
  );
}

const columns: ListSpec<typeof tokenCalls.page>['columns'] = [
  { key: 'name', title: 'token.name', pinned: 'left', width: 140 },
  { key: 'hint', title: 'token.hint', width: 130, off: true, cell: (row) => <span className="m-mono">{row.hint}…</span> },
  { key: 'state', title: 'token.state', width: 110, cell: (row) => <State of={row.state} /> },
  { key: 'platform', title: 'log.platform', kind: 'name', names: 'platform.', width: 160, off: true },
  { key: 'scopes', title: 'token.scopes', width: 200, cell: (row) => <Scopes of={row.scopes} /> },
  { key: 'onlyDept', title: 'token.onlyDept', width: 160, off: true },
  { key: 'perMinute', title: 'token.perMinute', kind: 'number', width: 110, off: true },
  { key: 'expiresAt', title: 'token.expiresAt', kind: 'date', width: 120 },
  { key: 'lastUsedAt', title: 'token.lastUsedAt', kind: 'ago', width: 110 },
  { key: 'lastIp', title: 'log.ip', width: 130, off: true },
  { key: 'addresses', title: 'token.addresses', kind: 'tags', off: true },
  { key: 'createdAt', title: 'token.createdAt', kind: 'moment', sort: true, off: true },
];

/** What the person holds on this platform is all that a token can get. */
const useScopes = (text: string) => usePermissionChoices(useSession().user?.permissions ?? [], text);

const AddToken = ({ onClose }: { onClose: () => void }) => (
  <MakeDialog
    title="token.add"
    call={tokenCalls.add}
    successText="done.created"
    submit="token.add"
    once="token.once"
    made="token.made"
    shown={({ token }) => <CopyText text={token} />}
    fields={[
      { name: 'name', label: 'token.name' },
      { name: 'days', label: 'token.days', kind: 'number', help: 'token.days.help' },
      { name: 'scopes', label: 'token.scopes', kind: 'multi', useChoices: useScopes, help: 'token.scopes.help' },
      { name: 'addresses', label: 'token.addresses', kind: 'tags', help: 'token.addresses.help' },
      { name: 'perMinute', label: 'token.perMinute', kind: 'number' },
      { name: 'onlyHere', label: 'token.onlyHere', help: 'token.onlyHere.help' },
    ]}
    onClose={onClose}
  />
);

/** One's own keys for other systems. */
export function OwnTokens() {
  const [spec] = useState<ListSpec<typeof tokenCalls.page>>(() => ({
    code: 'account.tokens',
    title: 'token.own',
    call: tokenCalls.page,
    columns,
    search: { field: 'text', hint: 'token.name' },
    filters: [
      { field: 'state', label: 'token.state', names: 'token.state.' },
      { field: 'scope', label: 'token.scopes', useChoices: useScopes },
    ],
    actions: [{ key: 'add', label: 'token.add', icon: 'add', call: tokenCalls.add, Dialog: AddToken }],
    rowActions: [
      rowAction(tokenCalls.revoke, {
        successText: 'done.revoked',
        label: 'token.revoke',
        allowedAction: 'revoke',
        danger: true,
        confirm: { text: 'token.revoke.about' },
      }),
    ],
    nameOf: (row) => row.name,
    empty: { title: 'token.empty', text: 'token.emptyText', icon: 'key' },
  }));
  return <ListPart spec={spec} queryPrefix="k." />;
}

const everybody: ListSpec<typeof tokenAdminCalls.page> = {
  code: 'account.tokens.all',
  title: 'settings.tab.tokens',
  call: tokenAdminCalls.page,
  columns: [{ key: 'owner', title: 'token.owner', width: 150 }, ...columns] as ListSpec<typeof tokenAdminCalls.page>['columns'],
  search: { field: 'text', hint: 'token.search' },
  filters: [
    { field: 'state', label: 'token.state', names: 'token.state.' },
    { field: 'scope', label: 'token.scopes', useChoices: useScopes },
  ],
  rowActions: [
    rowAction(tokenAdminCalls.revoke, {
      successText: 'done.revoked',
      label: 'token.revoke',
      allowedAction: 'revoke',
      danger: true,
      confirm: { text: 'token.revoke.about' },
    }),
  ],
  export: tokenAdminCalls.export,
  nameOf: (row) => row.name,
  empty: { title: 'token.emptyAll', icon: 'key' },
};
/** Everybody's, for administrators. */
export const TokensTab = () => <ListView spec={everybody} queryPrefix="k." />;
