import { type AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import type { RowOf } from '@mooring/contract/kit/entity';
import { WebhookDeliveries } from '../../kit/parts/webhook-deliveries.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

/** What is done to what was sent. */
const sent = {
  deliveries: alarmReceiverCalls.deliveries,
  exportDeliveries: alarmReceiverCalls.exportDeliveries,
  replay: alarmReceiverCalls.replay,
};

/** What went to the address of a list, and what it answered. */
export function Sent({ row, onClose }: { row: RowOf<typeof AlarmReceiver>; onClose: () => void }) {
  const t = useT();
  return (
    <Drawer open title={`${row.name} · ${t('alarmReceiver.sent')}`} onClose={onClose} width={900}>
      {row.webhookId === null ? (
        <Empty icon="inbox" title={t('alarmReceiver.sent.none')} />
      ) : (
        <WebhookDeliveries calls={sent} code="alert.deliveries" webhookId={row.webhookId} />
      )}
    </Drawer>
  );
}
