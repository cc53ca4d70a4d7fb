import type { Db } from '../context.ts';
import { inSavepoint } from './savepoint.ts';

const UNIQUE = '23505';
const REFERENCED: readonly string[] = ['23503', '23001'];

export interface Refusal {
  readonly kind: 'unique' | 'referenced';
  readonly constraint: string;
}

function refusalOf(error: unknown): Refusal | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === UNIQUE) return { kind: 'unique', constraint: constraint ?? '' };
  return code !== undefined && REFERENCED.includes(code) ? { kind: 'referenced', constraint: constraint ?? '' } : undefined;
}

/** A write that a constraint may refuse, also for a row that the actor doesn't see: the transaction goes on, and `refused` says what is thrown. */
export async function unlessRefused<T>(db: Db, write: () => Promise<T>, refused: (refusal: Refusal) => Error | undefined): Promise<T> {
  try {
    return await inSavepoint(db, write);
  } catch (error) {
    const refusal = refusalOf(error);
    throw (refusal && refused(refusal)) ?? error;
  }
}
