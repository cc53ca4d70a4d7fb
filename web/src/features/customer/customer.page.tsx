import { type IotCustomer, iotCustomerCalls } from '@mooring/contract/customer/customer';
import { iotCustomerMachine } from '@mooring/contract/customer/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { moving, tryOut } from './acts.tsx';
import { Count } from './count.tsx';
import { MessagesOf } from './messages.tsx';
import { Overview } from './overview.tsx';
import { RegistrationsOf } from './registrations.tsx';

type Row = RowOf<typeof IotCustomer>;

/** Where there are more, the next replay begins with the last of these. */
function Replay({
  row,
  since,
  onMore,
  onClose,
}: {
  row: Row;
  since: string | null;
  onMore: (until: string | null) => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <FormDialog
      title="iotCustomer.replay.title"
      call={iotCustomerCalls.replay}
      submit="iotCustomer.replay"
      about={<p className="m-muted">{t('iotCustomer.replay.about')}</p>}
      initial={{ id: row.id, ...(since === null ? {} : { since }) }}
      fields={[{ name: 'since', label: 'iotCustomer.replay.since', kind: 'moment', wide: true }]}
      onClose={onClose}
      onDone={({ queued, more, until }) => {
        onMore(more ? until : null);
        toast(more ? 'info' : 'done', t(more ? 'iotCustomer.replayedMore' : 'iotCustomer.replayed', { n: queued }));
      }}
    />
  );
}

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [replaying, setReplaying] = useState(false);
  const [since, setSince] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const test = () => {
    setBusy(true);
    void tryOut(row).finally(() => setBusy(false));
  };
  return (
    <div className="m-row m-row-wrap">
      {allows(row, 'test') ? (
        <Button icon="send" busy={busy} onClick={test}>
          {t('iotCustomer.test')}
        </Button>
      ) : null}
      {allows(row, 'replay') && row.state !== 'draft' ? (
        <Button icon="retry" onClick={() => setReplaying(true)}>
          {t('iotCustomer.replay')}
        </Button>
      ) : null}
      {allows(row, 'update') && mayCall(iotCustomerCalls.update) ? (
        <Button icon="edit" onClick={() => go(`/customerConfig/${row.id}/edit`)}>
          {t('iotCustomer.edit')}
        </Button>
      ) : null}
      {replaying ? <Replay row={row} since={since} onMore={setSince} onClose={() => setReplaying(false)} /> : null}
    </div>
  );
}

/** What a person has to know first: that nothing gets through, or that something was lost. */
function Above({ row }: { row: Row }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  return (
    <>
      {row.state === 'failing' && row.failingSince ? (
        <Note tone="danger">
          {t('iotCustomer.failingNote', { since: format.moment(row.failingSince), reason: loose(`fault.${row.reason}`, row.reason ?? '') })}
        </Note>
      ) : null}
      {row.dropped > 0 ? <Note tone="warn">{t('iotCustomer.droppedNote', { n: row.dropped })}</Note> : null}
    </>
  );
}

function Which({ scope, names }: { scope: 'none' | 'all' | 'some'; names: readonly string[] }) {
  const t = useT();
  return scope === 'some' ? <bdi>{names.join(', ')}</bdi> : t(`iotCustomer.scope.${scope}`);
}

export const customerPage = detailPage({
  call: iotCustomerCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: iotCustomerMachine, of: (row) => row.state },
  facts: [
    { key: 'kind', title: 'iotCustomer.kind', kind: 'name', names: 'iotCustomer.kind.' },
    { key: 'endpoint', title: 'iotCustomer.endpoint', kind: 'code' },
    { key: 'deptName', title: 'iotCustomer.deptId' },
    { key: 'region', title: 'iotCustomer.region', when: (row) => row.region !== '' },
    { key: 'policy', title: 'iotCustomer.policy', when: (row) => row.policy !== '' },
    { key: 'topic', title: 'iotCustomer.topic', kind: 'code', when: (row) => row.kind !== 'https' },
    { key: 'signIn', title: 'iotCustomer.signIn', kind: 'name', names: 'iotCustomer.signIn.' },
    { key: '_properties', title: 'iotCustomer.properties', cell: (row) => <Which scope={row.properties} names={row.propertyNames} /> },
    { key: '_events', title: 'iotCustomer.events', cell: (row) => <Which scope={row.events} names={row.eventNames} /> },
    {
      key: 'eventLevel',
      title: 'iotCustomer.eventLevel',
      kind: 'name',
      names: 'alertRule.param.level.',
      when: (row) => row.events !== 'none' && row.eventLevel !== 'info',
    },
    { key: 'presence', title: 'iotCustomer.presence', kind: 'yes' },
    { key: 'deliveredAt', title: 'iotCustomer.deliveredAt', kind: 'ago' },
    { key: '_waiting', title: 'iotCustomer.waiting', cell: (row) => <Count of={row.waiting} /> },
  ],
  actions: [
    ...moving,
    rowAction(iotCustomerCalls.delete, {
      successText: 'done.deleted',
      label: 'iotCustomer.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'iotCustomer.delete.about', type: true },
    }),
  ],
  slots: { acts: Acts, above: Above },
  tabs: [
    { key: 'overview', title: 'iotCustomer.overview', Body: Overview },
    {
      key: 'terminals',
      title: 'iotRegistration.title',
      when: (row) => row.kind === 'aws',
      count: (row) => String(row.registered),
      Body: RegistrationsOf,
    },
    { key: 'messages', title: 'iotMessage.title', Body: MessagesOf },
  ],
});
