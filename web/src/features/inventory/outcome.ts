import type { BulkOutcome } from '@mooring/contract/kit/page';
import { refresh } from '../../kit/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, t } from '../../ui/words.ts';

/** What an act on some or all came to. */
export function tell(done: TextKey, outcome: BulkOutcome): void {
  for (const group of ['/device/dispatch/transfer', '/device/receipt/arrival']) refresh(group);
  if (outcome.work !== null) toast('info', t('dispatch.later'));
  else if (outcome.refused > 0) toast('warning', t('dispatch.partly', { done: outcome.done, refused: outcome.refused }));
  else toast('done', t(done, { n: outcome.done }));
}
