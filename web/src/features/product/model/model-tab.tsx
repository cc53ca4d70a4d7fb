import type { OutputOf } from '@mooring/contract/kit/call';
import type { productCalls } from '@mooring/contract/product/calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { useCall } from '../../../kit/queries.ts';
import { Bone } from '../../../ui/states.tsx';
import { ModelEditor } from './model-editor.tsx';
import { Versions } from './versions.tsx';

/** The thing model of a product: what holds, what is being changed, and what held before. */
export function ModelTab({ row }: { row: OutputOf<typeof productCalls.detail> }) {
  const current = useCall(productModelCalls.current, { productId: row.id });
  if (!current.data) return current.error ? <CallFailed part error={current.error} onRetry={current.retry} /> : <Bone height={320} />;
  const { draft, published } = current.data;
  return (
    <div className="m-stack">
      <ModelEditor product={row} current={current.data} />
      {draft || published ? <Versions product={row} published={published?.id} /> : null}
    </div>
  );
}
