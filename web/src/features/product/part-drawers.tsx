import type { Call } from '@mooring/contract/kit/call';
import { Industry, industryCalls, ProductCategory, productCategoryCalls } from '@mooring/contract/product/category-calls';
import { Firm, firmCalls } from '@mooring/contract/product/firm-calls';
import type { ComponentType } from 'react';
import { CountryName, useCountries } from '../../kit/choices.ts';
import { Labels } from '../../kit/form/labels-control.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import type { ListSpec } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { DevicePicture } from '../../ui/device-picture.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';

type Part = ComponentType<{ onClose: () => void }>;

/** A list with its forms, in a drawer beside the products. */
function partDrawer<C extends Call>(spec: ListSpec<C>, Edit: ComponentType, prefix: string): Part {
  return function PartDrawer({ onClose }) {
    const t = useT();
    return (
      <Drawer open title={`${t('product.title')} · ${t(spec.title)}`} onClose={onClose} width={860}>
        <ListPart spec={spec} queryPrefix={prefix} />
        <Edit />
      </Drawer>
    );
  };
}

const firm = formDialogs(Firm, firmCalls, {
  fields: ['name', 'code', { name: 'country', kind: 'one', useChoices: useCountries }, 'website', 'remark'],
});
export const Firms = partDrawer(
  listOf(Firm, firmCalls, {
    code: 'product.firms',
    columns: [
      'name',
      { key: 'code', width: 130 },
      { key: 'country', width: 140, cell: (row) => <CountryName code={row.country} /> },
      { key: 'website', width: 180 },
      { key: 'products', width: 90 },
      off('remark'),
      off('createdAt'),
    ],
    Add: firm.Add,
    edit: firm.edit,
    deleting: { text: 'firm.delete.about' },
    emptyText: 'firm.emptyText',
  }),
  firm.Edit,
  'f.',
);

const category = formDialogs(ProductCategory, productCategoryCalls, {
  initial: { picture: 'smartPos' },
  fields: ['value', { name: 'labels', Control: Labels }, 'picture', 'sort', 'enabled'],
});
export const Categories = partDrawer(
  listOf(ProductCategory, productCategoryCalls, {
    code: 'product.categories',
    columns: [
      {
        key: 'label',
        cell: (row) => (
          <span className="m-row">
            <DevicePicture category={row.picture} size={26} /> {row.label}
          </span>
        ),
      },
      { key: 'value', width: 130 },
      { key: 'sort', width: 90 },
      { key: 'enabled', width: 90 },
      { key: 'products', width: 90 },
      { key: 'system', width: 90 },
      off('updatedAt'),
    ],
    Add: category.Add,
    edit: category.edit,
    nameOf: (row) => row.label,
    deleting: { text: 'productCategory.delete.about' },
  }),
  category.Edit,
  'c.',
);

const industry = formDialogs(Industry, industryCalls, { fields: ['value', { name: 'labels', Control: Labels }, 'sort', 'enabled'] });
export const Industries = partDrawer(
  listOf(Industry, industryCalls, {
    code: 'product.industries',
    columns: [
      'label',
      { key: 'value', width: 130 },
      { key: 'sort', width: 90 },
      { key: 'enabled', width: 90 },
      { key: 'products', width: 90 },
      off('updatedAt'),
    ],
    Add: industry.Add,
    edit: industry.edit,
    nameOf: (row) => row.label,
    deleting: { text: 'industry.delete.about' },
  }),
  industry.Edit,
  'i.',
);
