import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../context.ts';
import { t } from '../texts/translate.ts';
import { type Judged, type SheetKind, type Written, wordsOf } from './sheet-kind.ts';
import type { Line } from './sheet-lines.ts';

const FAILED_SHOWN = 100;

/** What became of a row, in words; `fault` where nothing did. */
const Outcome = z.object({ said: z.string(), fault: z.string().optional() });
export type Outcome = z.output<typeof Outcome>;

/** What was found while it went on. */
export interface Tally {
  seen: number;
  done: number;
  failed: number;
  failures: { readonly id: number; readonly label: string; readonly fault: string }[];
}

export function note<C extends string>(tally: Tally, key: C, lines: readonly Line<C>[], outcomes: readonly Outcome[]): void {
  for (const [at, { fault }] of outcomes.entries()) {
    tally.seen += 1;
    if (fault === undefined) {
      tally.done += 1;
      continue;
    }
    tally.failed += 1;
    const { number: id = 0, text } = lines[at] ?? {};
    if (tally.failures.length < FAILED_SHOWN) tally.failures.push({ id, label: `${id} · ${text?.[key] ?? ''}`, fault });
  }
}

/** `written`: one for each row that is right, in their order; none where nothing was to be written. */
export function outcomesOf<C extends string, Given, Row>(
  lang: string,
  of: SheetKind<C, Given, Row>,
  found: readonly Judged<C, Row>[],
  written: readonly Written[],
): Outcome[] {
  let at = 0;
  return found.map(({ bad, row }) => {
    const became = row === undefined ? undefined : written[at++];
    if (became) return 'word' in became ? { said: t(lang, became.word) } : { said: t(lang, `fault.${became.fault}`), fault: became.fault };
    const [first] = bad;
    const said = wordsOf(lang, of.titles, bad);
    if (row !== undefined) return { said };
    return { said, fault: first === undefined || first.words ? 'SHEET_CELL' : first.fault };
  });
}

/** Its tables grow a hundredfold meanwhile: what was planned for them as they were isn't used again. */
export const freshPlans = ({ db }: Ctx) => sql`discard plans`.execute(db);

/** What an earlier run of the same work wrote of the piece that begins with a line. */
export async function takenBefore(ctx: Ctx, work: number, line: number): Promise<readonly Outcome[] | undefined> {
  const { rows } = await ctx.inTx((db) =>
    sql<{ outcomes: unknown }>`select outcomes from sheet_taken where work = ${work} and line = ${line}`.execute(db),
  );
  return rows[0] && z.array(Outcome).parse(rows[0].outcomes);
}

/** Writes a piece, and what became of it. */
export async function writeOnce<C extends string, Given, Row>(
  inner: Ctx,
  of: SheetKind<C, Given, Row>,
  work: number,
  line: number,
  found: readonly Judged<C, Row>[],
): Promise<readonly Outcome[]> {
  await freshPlans(inner);
  const rows = found.flatMap(({ row }) => (row === undefined ? [] : [row]));
  const outcomes = outcomesOf(inner.lang, of, found, rows.length > 0 ? await of.write(inner, rows) : []);
  await sql`
    insert into sheet_taken (work, line, outcomes, dept_path)
    values (${work}, ${line}, ${JSON.stringify(outcomes)}::jsonb, ${inner.scope.path})`.execute(inner.db);
  return outcomes;
}
