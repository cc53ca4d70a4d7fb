import { webhookMachine } from '@mooring/contract/settings/state-machines';
import type { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';
import { ListView } from '../list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../list/types.ts';
import { EventName, useEventWords, useProblemWords } from './webhook-words.tsx';

type Calls = Pick<typeof webhookCalls, 'deliveries' | 'exportDeliveries' | 'replay'>;
type Row = RowOf<Calls['deliveries']>;

function Problem({ row }: { row: Row }) {
  const words = useProblemWords();
  return row.error === null ? null : words(row.error);
}

/** What was sent to one address, and what it answered. */
export function WebhookDeliveries({ calls, code, webhookId }: { calls: Calls; code: string; webhookId: number }) {
  const t = useT();
  const words = useEventWords();
  const [shown, setShown] = useState<Row>();
  const [spec] = useState<ListSpec<Calls['deliveries']>>(() => ({
    code,
    title: 'settings.webhook.deliveries',
    call: calls.deliveries,
    export: calls.exportDeliveries,
    search: { field: 'event', hint: 'settings.webhook.event' },
    columns: [
      { key: 'createdAt', title: 'settings.out.createdAt', kind: 'moment', sort: true, pinned: 'left', width: 160 },
      { key: 'event', title: 'settings.webhook.event', width: 220, cell: (row) => <EventName event={row.event} /> },
      { key: 'state', title: 'settings.out.state', kind: 'state', machine: webhookMachine, width: 120 },
      { key: 'status', title: 'settings.webhook.status', kind: 'number', width: 90 },
      { key: 'attempts', title: 'settings.out.attempts', kind: 'number', width: 80 },
      { key: 'tookMs', title: 'settings.webhook.took', kind: 'number', width: 90 },
      { key: 'error', title: 'settings.out.error', width: 220, cell: (row) => <Problem row={row} /> },
      { key: 'nextAt', title: 'settings.webhook.nextAt', kind: 'moment', off: true },
      { key: 'eventId', title: 'settings.webhook.eventId', kind: 'code', off: true },
    ],
    filters: [
      { field: 'state', label: 'settings.out.state', machine: webhookMachine },
      { field: 'createdAt', label: 'settings.out.createdAt' },
    ],
    rowActions: [
      { key: 'show', label: 'settings.webhook.show', run: setShown },
      rowAction(calls.replay, { successText: 'done.resent', label: 'event.webhook.replay', icon: 'retry', allowedAction: 'replay' }),
    ],
    nameOf: (one) => words(one.event),
    empty: { title: 'settings.webhook.noDeliveries', icon: 'inbox' },
  }));
  return (
    <>
      <ListView spec={spec} fixed={{ webhookId }} queryPrefix="d." />
      <Dialog open={shown !== undefined} title={shown ? words(shown.event) : ''} onClose={() => setShown(undefined)} width={640}>
        <pre className="m-words m-mono m-small">
          {shown?.body ? JSON.stringify(JSON.parse(shown.body), undefined, 2) : t('settings.webhook.logOnly')}
        </pre>
      </Dialog>
    </>
  );
}
