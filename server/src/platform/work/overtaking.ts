const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};
const TIMES = 3;
const isOvertaken = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

/** A transaction that others overtook is tried again, a few times. */
export async function overtaking<T>(work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1)
    try {
      return await work();
    } catch (error) {
      if (turn >= TIMES || !isOvertaken(error)) throw error;
    }
}

/** What is said of an error that the same work would only meet again; undefined of any other. */
export const brokenBy = <F extends string>(error: unknown, misfit: F): 'OVERTAKEN' | F | undefined =>
  isOvertaken(error) ? 'OVERTAKEN' : codeOf(error).startsWith('22') ? misfit : undefined;
