/**
 * Classes of what PostgreSQL says while it can't do its work: no connection, no space or memory, shutting down or starting, broken
 * disk. The same will go when it is over.
 */
const passing = /^(08|53|57P0[1235]|58)/;
const socket = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
const said = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The database is away or full for now; nothing is wrong with what was asked. */
export function isAway(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? '';
  return passing.test(code) || socket.has(code) || said.test(String((error as Error | undefined)?.message));
}

/** Two transactions got in each other's way; the same will go again. */
export const isOvertaken = (error: unknown): boolean => ['40001', '40P01'].includes((error as { code?: string } | undefined)?.code ?? '');
