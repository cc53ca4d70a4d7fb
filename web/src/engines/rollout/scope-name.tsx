import type { Task } from '@mooring/contract/engines/rollout/task-calls';
import { type TextKey, useT } from '../../ui/words.ts';

/** Without a product, "all" are all terminals that there are. */
export const scopeText = (releaseScope: Task['releaseScope'], ofProduct: boolean): TextKey =>
  releaseScope === '0' && !ofProduct ? 'release.scope.all' : `firmware.task.scope.${releaseScope}`;

export function ScopeName({ row }: { row: Pick<Task, 'releaseScope' | 'productId'> }) {
  const t = useT();
  return t(scopeText(row.releaseScope, row.productId !== null));
}
