import { countLineCalls } from '@mooring/contract/inventory/count';
import { stockCalls } from '@mooring/contract/inventory/stock';
import { useProducts } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import type { BulkDialogProps } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { SnsDialog } from './sns-dialog.tsx';

/** Terminals come into stock by their serial numbers; some may be known already. */
export const StockIn = ({ sns, onClose }: { sns?: readonly string[]; onClose: () => void }) => (
  <SnsDialog
    call={stockCalls.warehouse}
    title="stock.in.title"
    submit="stock.in"
    done="stock.in.done"
    sns={{ label: 'stock.in.sns', help: 'stock.in.sns.help' }}
    fields={[
      { name: 'document', label: 'stock.document', help: 'stock.document.help' },
      { name: 'productId', label: 'stock.in.productId', help: 'stock.in.productId.help', kind: 'one', useChoices: useProducts },
      { name: 'remark', label: 'stock.remark', kind: 'area' },
    ]}
    initial={{ productId: null, ...(sns ? { sns } : {}) }}
    onClose={onClose}
  />
);

/** Those that a count found and the stock doesn't have. */
export function StockFound({ of, onClose }: BulkDialogProps) {
  const t = useT();
  const { data, error, retry } = useCall(countLineCalls.serials, { of } as never);
  if (data) return <StockIn sns={data.sns} onClose={onClose} />;
  return (
    <Dialog open title={t('stock.in.title')} onClose={onClose} footer={<Button onClick={onClose}>{t('kit.cancel')}</Button>}>
      {error ? <CallFailed part error={error} onRetry={retry} /> : <Bone height={60} />}
    </Dialog>
  );
}
