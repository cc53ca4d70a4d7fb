import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { useRef } from 'react';
import { ShopControl } from '../../kit/assign-merchant.tsx';
import { useDepts, useMerchants, useProducts, useStaticGroups } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { ConfigControl } from '../../kit/form/config-control.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { goOn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';

const mayPlace = () => mayCall(deviceCalls.update);
const mayGroup = () => mayCall(deviceGroupCalls.addMembers);

/** What is copied of a terminal, as far as this person may set it. */
const copyOf = ({ productId, deptId, tags, merchantId, shopId, config }: DeviceDetail, groupIds: number[]) => ({
  productId,
  deptId,
  tags,
  stocked: false,
  ...(mayPlace() ? { merchantId, shopId, config: config.values } : {}),
  ...(mayGroup() ? { groupIds } : {}),
});

/** Another terminal with the same product, place, groups and settings; its page opens then. */
export function CloneDevice({ row, onClose }: { row: DeviceDetail; onClose: () => void }) {
  const t = useT();
  const view = useView();
  // Once: after it is done the dialog is closed again, when the address is another one's already.
  const isClosed = useRef(false);
  const close = () => {
    if (isClosed.current) return;
    isClosed.current = true;
    onClose();
  };
  // Of a group by rule nobody is made a member.
  const ids = row.groups.map((group) => group.id);
  const groups = useCall(deviceGroupCalls.list, { ids }, { enabled: ids.length > 0 });
  if (ids.length > 0 && groups.data === undefined) {
    if (!groups.error) return null;
    // Without them it would be a terminal in no group, and nobody would know.
    return (
      <Dialog
        open
        title={t('kit.act.named', { act: t('device.clone.title'), name: row.sn })}
        onClose={close}
        footer={<Button onClick={close}>{t('kit.cancel')}</Button>}
      >
        <CallFailed error={groups.error} onRetry={groups.retry} part />
      </Dialog>
    );
  }
  const chosen = (groups.data ?? []).filter(({ id, kind }) => kind === 'static' && ids.includes(id)).map(({ id }) => id);
  return (
    <FormDialog
      title="device.clone.title"
      of={row.sn}
      call={deviceCalls.save}
      submit="device.clone.submit"
      wide
      about={<p className="m-muted">{t('device.clone.about', { sn: row.sn })}</p>}
      initial={copyOf(row, chosen)}
      fields={[
        { name: 'sn', label: 'device.sn', help: 'device.sn.help' },
        { name: 'name', label: 'device.name' },
        { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
        { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts },
        { name: 'merchantId', label: 'merchant.assign.merchant', kind: 'one', useChoices: useMerchants, when: mayPlace },
        { name: 'shopId', label: 'merchant.assign.shop', Control: ShopControl, wide: false, when: mayPlace },
        { name: 'groupIds', label: 'device.clone.groups', kind: 'multi', useChoices: useStaticGroups, wide: true, when: mayGroup },
        { name: 'tags', label: 'device.tags', kind: 'tags' },
        { name: 'stocked', label: 'device.stocked', kind: 'switch' },
        { name: 'config', label: 'device.clone.config', Control: ConfigControl, wide: true, when: mayPlace },
      ]}
      onClose={close}
      onDone={({ id, sn }) => {
        close();
        toast('done', t('device.clone.done', { name: sn, sn: row.sn }));
        goOn(view, `/device/deviceDetail/${id}`);
      }}
    />
  );
}
