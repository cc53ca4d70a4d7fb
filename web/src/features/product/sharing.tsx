import type { OutputOf } from '@mooring/contract/kit/call';
import type { productCalls } from '@mooring/contract/product/calls';
import { ProductShare, productShareCalls } from '@mooring/contract/product/share-calls';
import { useMemo, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useT } from '../../ui/words.ts';

type Row = OutputOf<typeof productCalls.detail>;
const calls = { page: productShareCalls.page, export: productShareCalls.export };

const receiversOf = (id: number) =>
  function useReceivers(text: string, chosen: readonly (string | number)[]) {
    const found = useCall(productShareCalls.receivers, { id, text }, { keep: true });
    const ids = chosen.map(Number).filter((one) => !found.data?.some((dept) => dept.id === one));
    const named = useCall(productShareCalls.receivers, { id, ids }, { enabled: ids.length > 0 });
    const depts = [...(found.data ?? []), ...(ids.length > 0 ? (named.data ?? []) : [])];
    return { choices: depts.map((dept) => ({ value: dept.id, label: { text: dept.name } })), busy: found.fetching, madeOn: ['dept'] };
  };

/** With whom a product is shared, and on the other side by whom. */
export function Sharing({ row }: { row: Row }) {
  const t = useT();
  const mayShare = allows(row, 'share');
  // One component for each product: the hook is the same as long as the page is.
  const [useReceivers] = useState(() => receiversOf(row.id));
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
          fields={[{ name: 'deptIds', label: 'productShare.deptIds', kind: 'multi', useChoices: useReceivers }]}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
