import type { alarmReceiverCalls, Tested } from '@mooring/contract/alert/receiver';
import { problemWords } from '@mooring/contract/settings/webhook-words';
import type { z } from 'zod';
import { toast } from '../ui/toast.tsx';
import { hasText, t } from '../ui/words.ts';
import { change } from './queries.ts';

type TestCall = typeof alarmReceiverCalls.test;
type Answer = z.output<typeof Tested>['webhooks'][number];
const reasonIn = (error: string): string => problemWords(error, (key, otherwise) => (hasText(key) ? t(key) : otherwise));

function sayAnswer({ name, status, error, tookMs }: Answer): void {
  if (error !== null) toast('error', t('alertRule.tested.failed', { name, reason: reasonIn(error) }));
  else if (status === null) toast('info', t('alertRule.tested.underway', { name }));
  else toast('done', t('alertRule.tested.answered', { name, status, ms: tookMs ?? 0 }));
}

/** Sends a test to whoever hears of alarms: of a list, a rule or a geofence. */
export async function tryOut(call: TestCall, { id }: { readonly id: number }): Promise<void> {
  const made = await change(call, { id }).catch(() => undefined);
  if (made) sayTested(made);
}

/** How many were reached, and what other systems answered, is only known when it was done. */
function sayTested({ people, mails, webhooks, unseen }: z.output<typeof Tested>): void {
  if (people + mails > 0) toast('done', t('alertRule.tested', { people, mails }));
  for (const one of webhooks) sayAnswer(one);
  if (unseen > 0) toast('info', t('alertRule.tested.unseen', { n: unseen }));
}
