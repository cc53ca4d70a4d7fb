import { Shop, shopCalls } from '@mooring/contract/merchant/shop';
import { useZones } from '../../kit/choices.ts';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { OpeningHoursControl } from './opening-hours.tsx';

export const shopPath = ({ id }: { readonly id: number }) => `/merchant/shop/${id}`;

export const shopForm = formDialogs(Shop, shopCalls, {
  fields: [
    'number',
    'name',
    { name: 'address', kind: 'text', wide: true },
    'city',
    'phone',
    { name: 'timeZone', kind: 'one', useChoices: useZones },
    { name: 'openingHours', Control: OpeningHoursControl, wide: true },
    'lat',
    'lon',
    { name: 'remark', kind: 'area' },
  ],
  wide: true,
});
