import { deviceCalls, oldGoes } from '@mooring/contract/device/calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { useRef, useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { goOn, useView } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { t, useT } from '../../ui/words.ts';

/** Terminals by a part of the SN, what lies in stock first; whoever types finds the others too. */
function useOthers(text: string, chosen: readonly (string | number)[]) {
  const say = useT();
  const criteria = text === '' ? { status: '5' as const } : { text };
  const found = useCall(deviceCalls.page, { criteria, page: { size: 20, sort: 'sn', order: 'asc' } }, { keep: true });
  const rows = found.data?.content ?? [];
  const [seen] = useState(() => new Map<number, string>());
  for (const { id, sn, productName, status } of rows)
    seen.set(id, [sn, productName, say(`life.device.${deviceMachine.byCode[status] ?? 'inactive'}`)].filter(Boolean).join(' · '));
  const kept = chosen.map(Number).filter((one) => !rows.some((row) => row.id === one));
  const ids = [...rows.map((row) => row.id), ...kept];
  return { choices: ids.map((one) => ({ value: one, label: { text: seen.get(one) ?? String(one) } })), busy: found.fetching };
}

/** Another terminal takes the place of this one; its page opens then. */
export function SwapDevice({ row, onClose }: { row: DeviceDetail; onClose: () => void }) {
  const view = useView();
  // Once: after it is done the dialog is closed again, when the address is another one's already.
  const isClosed = useRef(false);
  const close = () => {
    if (isClosed.current) return;
    isClosed.current = true;
    onClose();
  };
  return (
    <FormDialog
      title="device.swap"
      of={row.sn}
      call={deviceCalls.swap}
      submit="device.swap"
      about={<p className="m-muted">{t('device.swap.about')}</p>}
      initial={{ id: row.id, goes: 'stock' }}
      fields={[
        { name: 'otherId', label: 'device.swap.otherId', kind: 'one', useChoices: useOthers, help: 'device.swap.otherId.help', wide: true },
        {
          name: 'goes',
          label: 'device.swap.goes',
          kind: 'one',
          choices: oldGoes.map((one) => ({ value: one, label: `device.swap.goes.${one}` as const })),
          wide: true,
        },
        { name: 'remark', label: 'device.remark', kind: 'area', wide: true },
      ]}
      onClose={close}
      onDone={({ id, sn }) => {
        close();
        toast('done', t('device.swap.done', { name: row.sn, sn }));
        goOn(view, `/device/deviceDetail/${id}`);
      }}
    />
  );
}
