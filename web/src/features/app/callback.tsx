import { appCallbackCalls } from '@mooring/contract/app/callback';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import { WebhookDeliveries } from '../../kit/parts/webhook-deliveries.tsx';
import { useProblemWords } from '../../kit/parts/webhook-words.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

interface App {
  readonly id: number;
  readonly name: string;
}
interface Address {
  readonly url: string;
  readonly failingSince: Date | string | null;
  readonly nextAt: Date | string | null;
  readonly error: string | null;
  readonly createdAt: Date | string;
}
function Problem({ row }: { row: Address }) {
  const words = useProblemWords();
  return row.error === null ? null : words(row.error);
}
const facts: readonly Fact<Address>[] = [
  { key: 'url', title: 'appCallback.url', kind: 'code' },
  { key: 'createdAt', title: 'appCallback.createdAt', kind: 'moment' },
  { key: 'failingSince', title: 'settings.webhook.failingSince', kind: 'moment', when: (row) => row.failingSince !== null },
  { key: 'error', title: 'settings.out.error', cell: (row) => <Problem row={row} />, when: (row) => row.error !== null },
  { key: 'nextAt', title: 'settings.webhook.nextAt', kind: 'moment', when: (row) => row.nextAt !== null },
];
/** What is done to what was sent. */
const sent = {
  deliveries: appCallbackCalls.deliveries,
  exportDeliveries: appCallbackCalls.exportDeliveries,
  replay: appCallbackCalls.replay,
};
type Open = 'set' | 'newSecret' | 'delete' | undefined;

/** Where another system of the app's owner is told about it, and what was sent there. */
export function Callback({ row: { id: appId, name } }: { row: App }) {
  const t = useT();
  const asked = useCall(appCallbackCalls.detail, { appId });
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  const test = useAct(appCallbackCalls.test, { successText: 'settings.webhook.tested' });
  const remove = useAct(appCallbackCalls.delete, { successText: { key: 'appCallback.deleted', params: { name } }, done: onClose });
  if (asked.data === undefined) return asked.error ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : <PageSkeleton />;
  const at = asked.data;
  return (
    <div className="m-stack">
      {at ? (
        <>
          {at.suspended ? <Note tone="warn">{t('appCallback.suspended')}</Note> : null}
          <Facts<Address> row={at} facts={facts.filter((fact) => fact.when?.(at) ?? true)} />
          <div className="m-row m-row-wrap">
            <Button icon="edit" onClick={() => setOpen('set')}>
              {t('appCallback.change')}
            </Button>
            {allows(at, 'test') ? (
              <Button onClick={() => test.run({ appId })} busy={test.busy}>
                {t('settings.webhook.test')}
              </Button>
            ) : null}
            <Button icon="key" onClick={() => setOpen('newSecret')}>
              {t('settings.webhook.newSecret')}
            </Button>
            <Button danger onClick={() => setOpen('delete')}>
              {t('appCallback.delete')}
            </Button>
          </div>
          <WebhookDeliveries calls={sent} code="app.callbacks" webhookId={at.id} />
        </>
      ) : (
        <Empty title={t('appCallback.empty')} text={t('appCallback.emptyText')} icon="link">
          <Button look="primary" icon="add" onClick={() => setOpen('set')}>
            {t('appCallback.add')}
          </Button>
        </Empty>
      )}
      {open === 'set' ? <SetAddress appId={appId} name={name} url={at?.url} onClose={onClose} /> : null}
      {open === 'newSecret' ? (
        <MakeDialog
          title="settings.webhook.newSecret"
          of={name}
          call={appCallbackCalls.newSecret}
          successText="settings.webhook.renewed"
          submit="settings.webhook.newSecret"
          about={<p>{t('settings.webhook.newSecret.about')}</p>}
          once="settings.webhook.once"
          made="appCallback.secret"
          shown={({ secret }) => <CopyText text={secret} />}
          fields={[]}
          initial={{ appId }}
          onClose={onClose}
        />
      ) : null}
      <Confirm
        open={open === 'delete'}
        title={t('kit.act.sure', { act: t('appCallback.delete'), name })}
        confirm={t('appCallback.delete')}
        danger
        busy={remove.busy}
        onClose={onClose}
        onConfirm={() => remove.run({ appId })}
      >
        {t('settings.webhook.delete.about')}
      </Confirm>
    </div>
  );
}

/** The first, or another one: the secret of a new host is a new one, and shown this once. */
function SetAddress({ appId, name, url, onClose }: { appId: number; name: string; url: string | undefined; onClose: () => void }) {
  const t = useT();
  return (
    <MakeDialog
      title={url === undefined ? 'appCallback.add' : 'appCallback.change'}
      of={name}
      call={appCallbackCalls.set}
      successText="appCallback.saved"
      submit="kit.save"
      about={<p className="m-muted">{t('appCallback.about')}</p>}
      once="settings.webhook.once"
      made="appCallback.secret"
      shows={({ secret }) => secret !== null}
      shown={({ secret }) => <CopyText text={secret ?? ''} />}
      fields={[{ name: 'url', label: 'appCallback.url', help: 'appCallback.url.help', kind: 'text', wide: true }]}
      initial={{ appId, ...(url === undefined ? {} : { url }) }}
      onClose={onClose}
    />
  );
}
