import { type IotCustomer, iotCustomerCalls } from '@mooring/contract/customer/customer';
import type { RowOf } from '@mooring/contract/kit/entity';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { change } from '../../kit/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { hasText, t, useLooseT } from '../../ui/words.ts';

type Row = RowOf<typeof IotCustomer>;

/** Why something wasn't taken, in words. */
export function Reason({ of }: { of: string | null }) {
  const loose = useLooseT();
  return of === null ? '–' : loose(`fault.${of}`, of);
}

const wordsFor = (reason: string): string => {
  const key = `fault.${reason}`;
  return hasText(key) ? t(key) : reason;
};

/** Sends the marked message; what came of it is said where the person looks. */
export async function tryOut({ id }: Pick<Row, 'id'>): Promise<void> {
  const answer = await change(iotCustomerCalls.test, { id }).catch(() => undefined);
  if (answer === undefined) return;
  if (answer.reason === null) toast('done', t('iotCustomer.test.done', { ms: answer.tookMs }));
  else toast('error', t('iotCustomer.test.failed', { reason: wordsFor(answer.reason) }));
}

export const moving: readonly RowAction<Row>[] = [
  rowAction(iotCustomerCalls.resume, {
    label: 'iotCustomer.resume',
    icon: 'play',
    allowedAction: 'resume',
    successText: 'iotCustomer.resumed',
  }),
  rowAction(iotCustomerCalls.pause, {
    label: 'iotCustomer.pause',
    icon: 'pause',
    allowedAction: 'pause',
    confirm: { text: 'iotCustomer.pause.about' },
    successText: 'iotCustomer.paused',
  }),
];
