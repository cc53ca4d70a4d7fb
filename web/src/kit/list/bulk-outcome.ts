import { BulkOutcome } from '@mooring/contract/kit/page';
import { hasText, t } from '../../ui/words.ts';
import { type CallError, callError } from '../outcome.ts';

/** The words of a fault that a row was refused with. */
export function faultWords(fault: string): string {
  const key = `fault.${fault}`;
  return hasText(key) ? t(key) : fault;
}

/** Why a bulk call changed nothing: that is never a success, though the call itself went well. */
export function nothingDone(output: unknown): CallError | undefined {
  const { data } = BulkOutcome.safeParse(output);
  if (!data || data.work !== null || data.done > 0) return undefined;
  const fault = data.failed[0]?.fault;
  return callError({ code: 400, fault, message: fault ? faultWords(fault) : t('kit.bulk.nothing') });
}
