import type { Tested } from '@mooring/contract/alert/receiver';
import type { z } from 'zod';
import { toast } from '../../ui/toast.tsx';
import { hasText, t } from '../../ui/words.ts';

type Answer = z.output<typeof Tested>['webhooks'][number];
const reasonIn = (error: string): string => {
  const key = `fault.${error}`;
  return hasText(key) ? t(key) : error;
};

function sayAnswer({ name, status, error, tookMs }: Answer): void {
  if (error !== null) toast('error', t('alertRule.tested.failed', { name, reason: reasonIn(error) }));
  else if (status === null) toast('info', t('alertRule.tested.underway', { name }));
  else toast('done', t('alertRule.tested.answered', { name, status, ms: tookMs ?? 0 }));
}

/** How many were reached, and what other systems answered, is only known when it was done. */
export function sayTested({ people, mails, webhooks }: z.output<typeof Tested>): void {
  if (people + mails > 0) toast('done', t('alertRule.tested', { people, mails }));
  for (const one of webhooks) sayAnswer(one);
}
