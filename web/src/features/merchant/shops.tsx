import { Shop, shopCalls } from '@mooring/contract/merchant/shop';
import { useMemo } from 'react';
import { bind } from '../../kit/bind-page.ts';
import { ListPart } from '../../kit/list/list-part.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';
import { OpeningHoursLine } from './opening-hours.tsx';
import { shopForm, shopPath } from './shop-form.tsx';

const ImportShops = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="shop.import.title"
    about="shop.import.about"
    take="shop.import.take"
    call={shopCalls.import}
    template={shopCalls.template}
    fileName="shops.xlsx"
    names="shop."
    partly
    onClose={onClose}
  />
);

const shopList = listOf(Shop, shopCalls, {
  code: 'merchant.shops',
  columns: [
    { key: 'number', link: shopPath, width: 150 },
    { key: 'name', width: 190 },
    { key: 'address', width: 220 },
    { key: 'city', width: 130 },
    { key: 'phone', width: 150 },
    { key: 'timeZone', width: 150 },
    {
      key: 'openingHours',
      width: 260,
      cell: ({ openingHours }) => <OpeningHoursLine hours={openingHours} />,
    },
    { key: 'terminals', width: 100 },
    off('remark'),
    off('createdAt'),
  ],
  filters: [],
  edit: shopForm.edit,
  deleting: { text: 'shop.delete.about' },
  nameOf: (row) => row.name,
  open: shopPath,
  empty: { title: 'shop.empty', text: 'shop.emptyText', icon: 'shop' },
});

interface Closing {
  readonly onClose: () => void;
}
const AddShop = ({ merchantId, onClose }: { merchantId: number } & Closing) => <shopForm.Add given={{ merchantId }} onClose={onClose} />;

/** The shops of one merchant. */
export function Shops({ merchantId }: { merchantId: number }) {
  const spec = useMemo(() => {
    const actions = [
      { key: 'import', label: 'merchant.import', icon: 'upload', call: shopCalls.import, Dialog: ImportShops },
      {
        key: 'add',
        label: 'shop.add',
        icon: 'add',
        primary: true,
        call: shopCalls.add,
        Dialog: bind<{ merchantId: number }, Closing>(AddShop, { merchantId }),
      },
    ] as const;
    return { ...shopList, actions };
  }, [merchantId]);
  return (
    <>
      <ListPart spec={spec} fixed={{ merchantId }} queryPrefix="s." />
      <shopForm.Edit />
    </>
  );
}
