import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';

type Row = RowOf<typeof downloadDomainCalls.page>;
const fields = [
  { name: 'name', label: 'settings.domain.name' },
  { name: 'url', label: 'settings.domain.url', kind: 'text', help: 'settings.domain.about' },
  { name: 'deptId', label: 'settings.domain.dept', kind: 'one', useChoices: useDepts },
  { name: 'enabled', label: 'settings.domain.enabled', kind: 'switch' },
] as const;

const AddDomain = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="settings.domain.add"
    call={downloadDomainCalls.add}
    successText="done.added"
    submit="settings.domain.add"
    fields={fields}
    initial={{ enabled: true }}
    onClose={onClose}
  />
);

export function DomainsTab() {
  const [edited, setEdited] = useState<Row>();
  const [spec] = useState<ListSpec<typeof downloadDomainCalls.page>>(() => ({
    code: 'settings.domains',
    title: 'settings.tab.domains',
    call: downloadDomainCalls.page,
    search: { field: 'text', hint: 'settings.domain.name' },
    columns: [
      { key: 'name', title: 'settings.domain.name', sort: true, pinned: 'left', width: 180 },
      { key: 'url', title: 'settings.domain.url', kind: 'code', width: 280 },
      { key: 'deptName', title: 'settings.domain.dept', width: 200 },
      { key: 'enabled', title: 'settings.domain.enabled', kind: 'yes', width: 100 },
      { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 170 },
    ],
    filters: [{ field: 'enabled', label: 'settings.domain.enabled', kind: 'yes' }],
    actions: [{ key: 'add', label: 'settings.domain.add', icon: 'add', primary: true, call: downloadDomainCalls.add, Dialog: AddDomain }],
    rowActions: [
      { key: 'edit', label: 'settings.dict.edit', icon: 'edit', allowedAction: 'update', run: setEdited },
      rowAction(downloadDomainCalls.delete, {
        successText: 'done.deleted',
        label: 'settings.dict.delete',
        allowedAction: 'delete',
        danger: true,
      }),
    ],
    nameOf: (row) => row.name,
    empty: { title: 'settings.domain.empty' },
  }));
  return (
    <>
      <ListPart spec={spec} queryPrefix="d." />
      {edited ? (
        <FormDialog
          title="settings.domain.edit"
          call={downloadDomainCalls.update}
          successText="done.saved"
          submit="settings.save"
          fields={fields}
          initial={{
            id: edited.id,
            revision: edited.revision,
            name: edited.name,
            url: edited.url,
            deptId: edited.deptId,
            enabled: edited.enabled,
          }}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </>
  );
}
