import { Fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import type { Ctx } from './context.ts';

const FAILED_SHOWN = 100;
const NAMED = 20;

export interface Chosen {
  readonly id: number;
  readonly label: string;
}
interface Each<R extends Chosen> {
  readonly preview: boolean;
  /** Whether the act is for this row; the others are refused with `fault`. */
  readonly fits: (row: R) => boolean;
  readonly fault: string;
  readonly act: (ctx: Ctx, row: R) => Promise<unknown>;
}

/**
 * One act on each of a few rows, each in a transaction of its own: what one row is refused for holds no other up. For lists of hundreds;
 * the call is `tx: 'own'`.
 */
export async function bulkEach<R extends Chosen>(
  ctx: Ctx,
  rows: readonly R[],
  { preview, fits, fault, act }: Each<R>,
): Promise<BulkOutcome> {
  const failed: { id: number; label: string; fault: string }[] = [];
  const done: string[] = [];
  for (const row of rows) {
    if (!fits(row)) failed.push({ id: row.id, label: row.label, fault });
    else if (!preview) {
      try {
        await ctx.withScope((inner) => act(inner, row));
        done.push(row.label);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        failed.push({ id: row.id, label: row.label, fault: error.fault });
      }
    }
  }
  if (!preview) ctx.audit({ target: done.slice(0, NAMED).join(', '), after: { done: done.length, refused: failed.length } });
  return { total: rows.length, done: done.length, refused: failed.length, failed: failed.slice(0, FAILED_SHOWN), work: null };
}
