import { Merchant, merchantCalls } from '@mooring/contract/merchant/calls';
import { CountryName, useCountries, useDepts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';

export const merchantPath = ({ id }: { readonly id: number }) => `/merchant/${id}`;

export const merchantForm = formDialogs(Merchant, merchantCalls, {
  fields: [
    'number',
    'name',
    'kind',
    'deptId',
    'contactName',
    'phone',
    { name: 'email', kind: 'text' },
    { name: 'country', kind: 'one', useChoices: useCountries },
    'region',
    'city',
    'postcode',
    { name: 'address', kind: 'text' },
    'lat',
    'lon',
    { name: 'remark', kind: 'area' },
  ],
  wide: true,
});

const ImportMerchants = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="merchant.import.title"
    about="merchant.import.about"
    take="merchant.import.take"
    call={merchantCalls.import}
    template={merchantCalls.template}
    fileName="merchants.xlsx"
    names="merchant."
    partly
    onClose={onClose}
  />
);

export const merchantList = listPage(Merchant, merchantCalls, {
  code: 'merchant.list',
  columns: [
    { key: 'number', link: merchantPath, width: 170 },
    { key: 'name', width: 190 },
    { key: 'kind', width: 140 },
    { key: 'deptName', width: 170 },
    { key: 'city', width: 130 },
    { key: 'contactName', width: 140 },
    { key: 'phone', width: 150 },
    { key: 'shops', width: 90 },
    { key: 'terminals', width: 100 },
    off('email'),
    { key: 'country', off: true, cell: ({ country }) => <CountryName code={country} /> },
    off('region'),
    off('address'),
    off('postcode'),
    off('remark'),
    off('createdAt'),
  ],
  filters: [
    { field: 'kind', label: 'merchant.kind', names: 'merchant.kind.' },
    { field: 'deptId', label: 'merchant.deptId', useChoices: useDepts },
    { field: 'country', label: 'merchant.country', useChoices: useCountries },
  ],
  actions: [
    { key: 'import', label: 'merchant.import', icon: 'upload', call: merchantCalls.import, Dialog: ImportMerchants },
    { key: 'add', label: 'merchant.add', icon: 'add', primary: true, call: merchantCalls.add, Dialog: merchantForm.Add },
  ],
  edit: merchantForm.edit,
  deleting: { text: 'merchant.delete.about', type: true },
  nameOf: (row) => row.name,
  open: merchantPath,
  empty: { title: 'merchant.empty', text: 'merchant.emptyText', icon: 'merchant' },
  slots: { above: merchantForm.Edit },
});
