import { IotMessage, iotMessageCalls } from '@mooring/contract/customer/message';
import { ListView } from '../../kit/list/list-view.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { Reason } from './acts.tsx';

const tones = { waiting: 'busy', sent: 'good', refused: 'bad', dropped: 'ended' } as const;
function Fate({ of }: { of: keyof typeof tones }) {
  const t = useT();
  return <StatusTag tone={tones[of]}>{t(`iotMessage.fate.${of}`)}</StatusTag>;
}

const messages = listOf(IotMessage, iotMessageCalls, {
  code: 'customer.messages',
  texts: { add: 'iotCustomer.add', edit: 'iotCustomer.edit', delete: 'iotCustomer.delete' },
  columns: [
    { key: 'at', width: 170 },
    {
      key: 'sn',
      width: 180,
      link: ({ deviceId }: { readonly deviceId: number | null }) => (deviceId === null ? undefined : `/device/deviceDetail/${deviceId}`),
    },
    { key: 'kind', width: 150 },
    { key: 'name', width: 150 },
    { key: 'seq', width: 90 },
    { key: 'fate', width: 120, cell: ({ fate }) => <Fate of={fate} /> },
    { key: 'reason', width: 260, cell: ({ reason }) => <Reason of={reason} /> },
    { key: 'endedAt', width: 170 },
    off('tries'),
    off('again'),
    off('messageId'),
  ],
  filters: [
    { field: 'fate', label: 'iotMessage.fate', names: 'iotMessage.fate.' },
    { field: 'at', label: 'iotMessage.at' },
  ],
  nameOf: (row) => row.sn,
  empty: { title: 'iotMessage.empty', text: 'iotMessage.emptyText', icon: 'inbox' },
});

/** What went to one platform, and what waits for it. */
export const MessagesOf = ({ row }: { row: { readonly id: number } }) => (
  <ListView spec={messages} fixed={{ customerId: row.id }} queryPrefix="m." />
);
