import type { Call } from '@mooring/contract/kit/call';
import { type BulkAction, bulkAct } from '../../kit/list/types.ts';
import type { TextKey } from '../../ui/words.ts';
import { SignatureControl } from './signature.tsx';

/** Who takes a delivery. */
export const signing = [
  { name: 'signedBy', label: 'receipt.signedBy', help: 'receipt.signedBy.help' },
  { name: 'document', label: 'receipt.document', help: 'receipt.document.help' },
  { name: 'signature', label: 'receipt.signature', help: 'receipt.signature.help', Control: SignatureControl, wide: true },
] as const;
const reason = [{ name: 'reason', label: 'receipt.refuse.reason', kind: 'area' }] as const;

type Answers<V> = { readonly [A in 'accept' | 'refuse' | 'giveBack']: V };
/** What may be answered to chosen terminals, or to all of chosen deliveries. */
export const answers = (calls: Answers<Call>, labels: Answers<TextKey>): readonly BulkAction[] => [
  bulkAct(calls.accept, {
    key: 'accept',
    label: labels.accept,
    icon: 'done',
    successText: 'receipt.accepted.chosen',
    form: { fields: signing as never, initial: { signedBy: '', document: '', signature: [] } },
  }),
  bulkAct(calls.refuse, {
    key: 'refuse',
    label: labels.refuse,
    icon: 'cancel',
    danger: true,
    successText: 'receipt.refused.chosen',
    form: { fields: reason as never, initial: { reason: '' } },
  }),
  bulkAct(calls.giveBack, {
    key: 'giveBack',
    label: labels.giveBack,
    icon: 'back',
    successText: 'receipt.gaveBack.chosen',
    form: { fields: reason as never, initial: { reason: '' } },
  }),
];
