import type { PartResult } from '@mooring/contract/hardware-test/calls';
import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import type { Db } from '../../platform/context.ts';

/** Each part that was asked for, with what the terminal found of it. */
export async function resultsOf(
  db: Db,
  { id, parts }: { readonly id: number; readonly parts: readonly HardwarePart[] },
): Promise<PartResult[]> {
  const found = await db
    .selectFrom('hardware_test_part')
    .select(['part', 'outcome', 'reason', 'message', 'figures'])
    .where('test_id', '=', id)
    .execute();
  return parts.map((part) => {
    const one = found.find((result) => result.part === part);
    return {
      part,
      outcome: (one?.outcome ?? null) as PartResult['outcome'],
      reason: one?.reason ?? null,
      message: one?.message ?? null,
      figures: (one?.figures ?? {}) as PartResult['figures'],
    };
  });
}
