import type { OutputOf } from '@mooring/contract/kit/call';
import type { productCalls } from '@mooring/contract/product/calls';
import { ProductShare, productShareCalls } from '@mooring/contract/product/share-calls';
import { useMemo, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { ListPart } from '../../kit/list/list-part.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { MultiSelect } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

type Row = OutputOf<typeof productCalls.detail>;
const calls = { page: productShareCalls.page, export: productShareCalls.export };

/** Who doesn't use the product anyway. */
function ReceiversControl({ value = [], onChange, onBlur, values, disabled }: ControlPart<readonly number[] | undefined>) {
  const [text, setText] = useState('');
  const id = Number(values.id);
  const found = useCall(productShareCalls.receivers, { id, text }, { keep: true });
  const ids = value.filter((one) => !found.data?.some((dept) => dept.id === one));
  const named = useCall(productShareCalls.receivers, { id, ids }, { enabled: ids.length > 0 });
  const depts = [...(ids.length > 0 ? (named.data ?? []) : []), ...(found.data ?? [])];
  return (
    <MultiSelect
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      onSearch={setText}
      busy={found.fetching}
      disabled={disabled}
      options={depts.map((dept) => ({ value: dept.id, label: dept.name }))}
    />
  );
}

/** With whom a product is shared, and on the other side by whom. */
export function Sharing({ row }: { row: Row }) {
  const t = useT();
  const mayShare = allows(row, 'share');
  const [open, setOpen] = useState(false);
  const spec = useMemo(
    () =>
      listOf(ProductShare, calls, {
        code: 'product.shares',
        texts: { edit: 'kit.save' },
        columns: [
          { key: 'otherName', ...(row.isShared ? { title: 'productShare.giver' } : {}) },
          ...(row.isShared ? (['deptName'] as const) : []),
          'sharedBy',
          'createdAt',
          off('otherId'),
        ],
        actions: mayShare
          ? [
              {
                key: 'share',
                label: 'productShare.add',
                icon: 'share',
                primary: true,
                call: productShareCalls.share,
                run: () => setOpen(true),
              },
            ]
          : [],
        rowActions: mayShare
          ? [
              rowAction(productShareCalls.unshare, {
                label: 'productShare.delete',
                danger: true,
                input: (share) => ({ id: row.id, shareId: share.id }),
                successText: 'productShare.deleted',
                confirm: { text: 'productShare.delete.about' },
              }),
            ]
          : [],
        emptyText: 'productShare.emptyText',
      }),
    [row, mayShare],
  );
  return (
    <>
      <ListPart spec={spec} fixed={{ productId: row.id, side: row.isShared ? 'receiver' : 'giver' }} queryPrefix="s." />
      {open ? (
        <FormDialog
          title="productShare.add"
          of={row.name}
          submit="productShare.add"
          call={productShareCalls.share}
          successText="productShare.shared"
          about={<p className="m-muted">{t('productShare.line')}</p>}
          initial={{ id: row.id }}
          fields={[{ name: 'deptIds', label: 'productShare.deptIds', Control: ReceiversControl, wide: true }]}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
