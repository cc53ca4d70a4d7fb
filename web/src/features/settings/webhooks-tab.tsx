import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { WebhookDeliveries } from '../../kit/parts/webhook-deliveries.tsx';
import { EventTags, useEventWords, useProblemWords } from '../../kit/parts/webhook-words.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Row = RowOf<typeof webhookCalls.page>;

function useEvents(text: string) {
  const found = useCall(webhookCalls.events, {});
  const all = ['*', ...(found.data ?? []).flatMap((life) => [`${life.life}.*`, ...life.events.map((event) => `${life.life}.${event}`)])];
  const words = useEventWords();
  const part = text.toLowerCase();
  const named = all.map((one) => ({ value: one, label: { text: words(one) } }));
  return {
    choices: named.filter((one) => `${one.value} ${one.label.text}`.toLowerCase().includes(part)),
    busy: found.fetching,
  };
}

const fields = [
  { name: 'name', label: 'settings.webhook.name' },
  { name: 'url', label: 'settings.webhook.url', kind: 'text' },
  { name: 'deptId', label: 'settings.webhook.dept', kind: 'one', useChoices: useDepts, own: true, help: 'settings.webhook.dept.help' },
  { name: 'events', label: 'settings.webhook.events', kind: 'multi', useChoices: useEvents, help: 'settings.webhook.events.help' },
  { name: 'enabled', label: 'settings.webhook.enabled', kind: 'switch' },
] as const;

const AddWebhook = ({ onClose }: { onClose: () => void }) => (
  <MakeDialog
    title="settings.webhook.add"
    call={webhookCalls.add}
    successText="done.created"
    submit="settings.webhook.add"
    once="settings.webhook.once"
    made="settings.webhook.secret"
    shown={({ secret }) => <CopyText text={secret} />}
    fields={fields}
    initial={{ enabled: true }}
    onClose={onClose}
  />
);

function NewSecret({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  return (
    <MakeDialog
      title="settings.webhook.newSecret"
      call={webhookCalls.newSecret}
      successText="settings.webhook.renewed"
      submit="settings.webhook.newSecret"
      about={<p>{t('settings.webhook.newSecret.about')}</p>}
      once="settings.webhook.once"
      made="settings.webhook.secret"
      shown={({ secret }) => <CopyText text={secret} />}
      fields={[]}
      initial={{ id: row.id }}
      onClose={onClose}
    />
  );
}

/** Whether it gets through, or why not, in words. */
function Health({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  const problem = useProblemWords();
  if (!row.failingSince) return t('settings.webhook.well');
  const failing = t('settings.webhook.failing', { since: format.ago(String(row.failingSince)) });
  return row.error === null ? failing : `${failing} · ${problem(row.error)}`;
}

function Deliveries({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  return (
    <Drawer open title={`${row.name} · ${t('settings.webhook.deliveries')}`} onClose={onClose} width={900}>
      <WebhookDeliveries calls={webhookCalls} code="settings.deliveries" webhookId={row.id} />
    </Drawer>
  );
}

export function WebhooksTab() {
  const [edited, setEdited] = useState<Row>();
  const [renewed, setRenewed] = useState<Row>();
  const test = useAct(webhookCalls.test, { successText: 'settings.webhook.tested' });
  const [spec] = useState<ListSpec<typeof webhookCalls.page>>(() => ({
    code: 'settings.webhooks',
    title: 'settings.tab.webhooks',
    call: webhookCalls.page,
    export: webhookCalls.export,
    search: { field: 'text', hint: 'settings.webhook.name' },
    columns: [
      { key: 'name', title: 'settings.webhook.name', sort: true, pinned: 'left', width: 150 },
      { key: '_health', title: 'settings.webhook.health', width: 430, cell: (row) => <Health row={row} /> },
      { key: 'nextAt', title: 'settings.webhook.nextAt', kind: 'moment', width: 220 },
      { key: 'url', title: 'settings.webhook.url', kind: 'code', width: 200 },
      { key: 'events', title: 'settings.webhook.events', width: 220, cell: (row) => <EventTags events={row.events} /> },
      { key: 'deptName', title: 'settings.webhook.dept', width: 170 },
      { key: 'enabled', title: 'settings.webhook.enabled', kind: 'yes', width: 90 },
      { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 170, off: true },
    ],
    filters: [{ field: 'enabled', label: 'settings.webhook.enabled', kind: 'yes' }],
    actions: [{ key: 'add', label: 'settings.webhook.add', icon: 'add', primary: true, call: webhookCalls.add, Dialog: AddWebhook }],
    rowActions: [
      { key: 'edit', label: 'settings.dict.edit', icon: 'edit', allowedAction: 'update', run: setEdited },
      { key: 'test', label: 'settings.webhook.test', allowedAction: 'test', run: (row) => test.run({ id: row.id }) },
      { key: 'newSecret', label: 'settings.webhook.newSecret', icon: 'key', allowedAction: 'newSecret', run: setRenewed },
      rowAction(webhookCalls.delete, {
        successText: 'done.deleted',
        label: 'settings.dict.delete',
        allowedAction: 'delete',
        danger: true,
        confirm: { text: 'settings.webhook.delete.about', type: true },
      }),
    ],
    nameOf: (row) => row.name,
    empty: { title: 'settings.webhook.empty', text: 'settings.webhook.emptyText' },
    slots: { aside: Deliveries },
  }));
  return (
    <div className="m-stack">
      <ListPart spec={spec} queryPrefix="w." />
      {edited ? (
        <FormDialog
          title="settings.webhook.edit"
          call={webhookCalls.update}
          successText="done.saved"
          submit="settings.save"
          fields={fields}
          initial={{
            id: edited.id,
            revision: edited.revision,
            name: edited.name,
            url: edited.url,
            deptId: edited.deptId,
            events: edited.events,
            enabled: edited.enabled,
          }}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {renewed ? <NewSecret row={renewed} onClose={() => setRenewed(undefined)} /> : null}
    </div>
  );
}
