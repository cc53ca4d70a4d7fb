import type { OutputOf } from '@mooring/contract/kit/call';
import type { productCalls } from '@mooring/contract/product/calls';
import { ProductShare, productShareCalls } from '@mooring/contract/product/share-calls';
import { useMemo, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';

type Row = OutputOf<typeof productCalls.detail>;
const calls = { page: productShareCalls.page, export: productShareCalls.export };

/** With whom a product is shared, and on the other side by whom. */
export function Sharing({ row }: { row: Row }) {
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
          initial={{ id: row.id }}
          fields={[{ name: 'deptIds', label: 'productShare.deptIds', kind: 'multi', useChoices: useDepts }]}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
