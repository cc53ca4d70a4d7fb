import { Order, orderCalls } from '@mooring/contract/order/calls';
import { useState } from 'react';
import { formPage } from '../../kit/form/form-page.tsx';
import { PhotosControl } from '../../kit/parts/photos-control.tsx';
import { fieldsOf, valuesOf } from '../../kit/resource/entity-field.ts';
import type { Page } from '../../kit/route.ts';
import { useView } from '../../kit/view.ts';
import { AtMerchant, usePartners, useTerminalsHere } from './offered.ts';
import { orderPath } from './order-cells.tsx';

const terminal = fieldsOf(Order, [
  { name: 'deviceId', kind: 'one', useChoices: useTerminalsHere },
  { name: 'partnerId', kind: 'one', useChoices: usePartners, only: true },
  'fault',
  { name: 'dueOn', kind: 'day' },
  { name: 'description', kind: 'area' },
  { name: 'photos', Control: PhotosControl, wide: true },
]);
const contact = fieldsOf(Order, ['contactName', 'phone', { name: 'address', kind: 'text', wide: true }]);
const shipping = fieldsOf(Order, ['outCarrier', 'outNumber']);

const formFor = (initial: { deviceId?: number }, cancel = '/ordersList'): Page =>
  formPage({
    title: 'order.add',
    call: orderCalls.add,
    submit: 'order.add',
    successText: 'order.added',
    initial,
    edit: {
      title: 'order.edit',
      load: orderCalls.detail,
      call: orderCalls.update,
      successText: 'done.saved',
      allowedAction: 'update',
      values: (row) => valuesOf(Order, row),
      fixed: ['deviceId'],
      cancel: (id) => orderPath({ id }),
    },
    sections: [
      { title: 'order.section.terminal', fields: terminal as never },
      { title: 'order.section.contact', fields: contact as never },
      { title: 'order.section.shipping', fields: shipping as never },
    ],
    done: orderPath,
    cancel,
  });

const numberIn = (search: URLSearchParams, name: string): number => {
  const found = Number(search.get(name));
  return Number.isSafeInteger(found) && found > 0 ? found : 0;
};

/** A new one may begin with the terminal that the address names, or with those of a merchant. */
function Create() {
  const { search } = useView();
  const [merchantId] = useState(() => numberIn(search, 'merchantId'));
  const [form] = useState(() => {
    const deviceId = numberIn(search, 'deviceId');
    if (deviceId !== 0) return formFor({ deviceId }, `/device/deviceDetail/${deviceId}`);
    // Whoever gives up is where they came from.
    return merchantId === 0 ? formFor({}) : formFor({}, `/merchant/${merchantId}`);
  });
  return (
    <AtMerchant value={merchantId}>
      <form.View />
    </AtMerchant>
  );
}

export const orderCreate: Page = { View: Create };
export const orderEdit = formFor({});
