import { BulkOutcome } from '@mooring/contract/kit/page';
import { z } from 'zod';
import { hasText, t } from '../../ui/words.ts';
import { type CallError, callError } from '../outcome.ts';

/** The words of a fault that a row was refused with. */
export function faultWords(fault: string): string {
  const key = `fault.${fault}`;
  return hasText(key) ? t(key) : fault;
}

/** How many rows a call without a bulk act's outcome says that it changed. */
const Counted = z.strictObject({ changed: z.int() });

/** Why a call changed nothing: that is never a success, though the call itself went well. */
export function nothingDone(output: unknown, showsRefused = false): CallError | undefined {
  if (Counted.safeParse(output).data?.changed === 0) return callError({ code: 400, message: t('kit.act.nothing') });
  const { data } = BulkOutcome.safeParse(output);
  if (!data || data.work !== null || data.done > 0 || (showsRefused && data.refused > 0)) return undefined;
  const fault = data.failed[0]?.fault;
  return callError({ code: 400, fault, message: fault ? faultWords(fault) : t('kit.bulk.nothing') });
}
