export { approversOf } from './change-requests/approvers.ts';
export { approveChange, type Deciding, refuseChange, withdrawChange } from './change-requests/decide.ts';
export { endMerged } from './change-requests/end-merged.ts';
export { applyOrHold } from './change-requests/hold.ts';
export { type ChangeRow, changesOf, changesWithin, type Undone } from './change-requests/read.ts';
export { deliverDue, type Lane, take } from './webhooks/deliver.ts';
export { deliveriesOf } from './webhooks/deliveries.ts';
export { hasTest, keepWebhook, queueDelivery, queueTest, sendToReceivers } from './webhooks/kept.ts';
export { nextTry } from './webhooks/kinds.ts';
