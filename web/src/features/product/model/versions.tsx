import type { OutputOf } from '@mooring/contract/kit/call';
import { ProductModel, productModelCalls } from '@mooring/contract/product/model-calls';
import { thingLists } from '@mooring/contract/product/thing-model';
import { useMemo, useState } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { download } from '../../../kit/downloads.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useCall } from '../../../kit/queries.ts';
import { listOf } from '../../../kit/resource/resource-list.ts';
import { Drawer } from '../../../ui/dialog.tsx';
import { Bone } from '../../../ui/states.tsx';
import { useT } from '../../../ui/words.ts';
import { Changes } from './changes.tsx';
import { EntryList } from './entry-list.tsx';

type Row = OutputOf<typeof productModelCalls.versions>['content'][number];
interface Product {
  readonly id: number;
  readonly code: string;
}
const calls = { page: productModelCalls.versions, export: productModelCalls.exportVersions };
const texts = { add: 'model.begin', edit: 'model.edit', delete: 'model.discard', empty: 'model.noVersions' } as const;

/** A version as it was, beside what became of it in the published one. */
function Version({ row, published, onClose }: { row: Row; published: number | undefined; onClose: () => void }) {
  const t = useT();
  const shown = useCall(productModelCalls.detail, { id: row.id });
  const isOther = published !== undefined && published !== row.id;
  const [old, next] = row.state === 'draft' ? [published ?? 0, row.id] : [row.id, published ?? 0];
  const compared = useCall(productModelCalls.compare, { id: old, next }, { enabled: isOther });
  const failed = shown.error ?? compared.error;
  return (
    <Drawer open title={t('model.versionOf', { version: row.version })} onClose={onClose} width={860}>
      {failed ? <CallFailed part error={failed} onRetry={shown.retry} /> : null}
      <div className="m-stack">
        {isOther && compared.data ? (
          <section className="m-stack-tight">
            <h2>{t('model.changesOf', { old: compared.data.old, next: compared.data.next })}</h2>
            <Changes changes={compared.data.changes} />
          </section>
        ) : null}
        {shown.data ? (
          thingLists.map((list) => <EntryList key={list} list={list} entries={shown.data?.model[list] ?? []} />)
        ) : (
          <Bone height={240} />
        )}
      </div>
    </Drawer>
  );
}

/** All versions of a product's model, each to be looked at, compared and taken along. */
export function Versions({ product, published }: { product: Product; published: number | undefined }) {
  const t = useT();
  const [open, setOpen] = useState<Row>();
  const spec = useMemo(
    () =>
      listOf(ProductModel, calls, {
        code: 'product.models',
        title: 'model.versions',
        texts,
        columns: [
          { key: 'version', width: 110, kind: 'number' },
          { key: 'state', width: 140 },
          { key: 'entries', width: 90 },
          { key: 'note', width: 240 },
          'createdBy',
          'createdAt',
          'publishedAt',
        ],
        nameOf: (row) => String(row.version),
        rowActions: [
          { key: 'show', label: 'model.show', run: setOpen },
          {
            key: 'json',
            label: 'model.export',
            icon: 'download',
            run: (row) => download(productModelCalls.export, { id: row.id }, `${product.code}-model-${row.version}.json`),
          },
        ],
      }),
    [product],
  );
  return (
    <section className="m-stack-tight">
      <h2>{t('model.versions')}</h2>
      <ListView spec={spec} fixed={{ productId: product.id }} queryPrefix="v." />
      {open ? <Version row={open} published={published} onClose={() => setOpen(undefined)} /> : null}
    </section>
  );
}
