import { tokenCalls } from '@mooring/contract/account/token-calls';
import { wallCalls } from '@mooring/contract/stats/calls';
import { useState } from 'react';
import { prefix } from '../../../kit/base.ts';
import { MakeDialog } from '../../../kit/form/make-dialog.tsx';
import { ListPart } from '../../../kit/list/list-part.tsx';
import { type ListSpec, rowAction } from '../../../kit/list/types.ts';
import { mayCall } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Drawer } from '../../../ui/dialog.tsx';
import { useT } from '../../../ui/words.ts';

/** Behind the mark of an address: it reaches no server, and so no log. */
const addressOf = (token: string) => `${location.origin}${prefix}/dashboard?wall=1#${token}`;

const AddWall = ({ onClose }: { onClose: () => void }) => (
  <MakeDialog
    title="wall.add"
    call={tokenCalls.add}
    successText="done.created"
    submit="wall.add"
    once="wall.once"
    made="wall.made"
    shown={({ token }) => <CopyText text={addressOf(token)} />}
    initial={{ scopes: [wallCalls.view.can as string], onlyHere: true, perMinute: 60, days: 365 }}
    fields={[
      { name: 'name', label: 'wall.name' },
      { name: 'days', label: 'token.days', kind: 'number', help: 'token.days.help' },
    ]}
    onClose={onClose}
  />
);

const spec: ListSpec<typeof tokenCalls.page> = {
  code: 'home.walls',
  title: 'wall.title',
  call: tokenCalls.page,
  columns: [
    { key: 'name', title: 'wall.name', pinned: 'left', width: 160 },
    { key: 'onlyDept', title: 'token.onlyDept', width: 150 },
    { key: 'state', title: 'token.state', kind: 'name', names: 'token.state.', width: 100 },
    { key: 'expiresAt', title: 'token.expiresAt', kind: 'date', width: 120 },
    { key: 'lastUsedAt', title: 'token.lastUsedAt', kind: 'ago', width: 120 },
  ],
  filters: [{ field: 'state', label: 'token.state', names: 'token.state.' }],
  search: { field: 'text', hint: 'wall.name' },
  actions: [{ key: 'add', label: 'wall.add', icon: 'add', primary: true, call: wallCalls.view, Dialog: AddWall }],
  rowActions: [
    rowAction(tokenCalls.revoke, {
      successText: 'done.revoked',
      label: 'wall.revoke',
      allowedAction: 'revoke',
      danger: true,
      confirm: { text: 'wall.revoke.about' },
    }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'wall.empty', text: 'wall.emptyText', icon: 'device' },
};

/** Displays on walls: made, listed and revoked here by whoever may show one. */
export function WallButton() {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (!mayCall(wallCalls.view)) return null;
  return (
    <>
      <Button icon="device" onClick={() => setOpen(true)}>
        {t('wall.title')}
      </Button>
      <Drawer open={open} title={t('wall.title')} width={860} onClose={() => setOpen(false)}>
        <div className="m-stack">
          <p className="m-muted">{t('wall.about')}</p>
          <ListPart spec={spec} fixed={{ scope: wallCalls.view.can as string }} queryPrefix="w." />
          <div className="m-row">
            <Button icon="export" href={`${prefix}/dashboard?wall=1`}>
              {t('wall.open')}
            </Button>
          </div>
        </div>
      </Drawer>
    </>
  );
}
