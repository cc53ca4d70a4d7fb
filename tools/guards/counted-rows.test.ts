import { expect, test } from 'vitest';
import { countedFaults } from './counted-rows.ts';
import { sourceFiles } from './source-files.ts';

test('whoever counts rows and refuses one more holds the set meanwhile', () => {
  expect(countedFaults(sourceFiles())).toEqual([]);
});

const counted = 'const { rows } = await sql`select count(*)::int as n from boat`.execute(db);';
const seen = (...lines: string[]) => countedFaults([{ path: 'server/src/modules/boat/add.ts', text: lines.join('\n') }]);
const locked = "async function begin(db: Db) {\n  await lockSet(db, 'boats');\n}";

test.each([
  'if ((rows[0]?.n ?? 0) >= MOST_BOATS) throw refused();',
  'if (rows.length >= boatLimits.most) throw refused();',
  "if (isOver(rows)) throw new Fault('BOATS_MANY');",
])('%s without a lock is seen', (refuses) => {
  const add = ['async function add(db: Db) {', counted, refuses, '}'];
  expect(seen(...add)).toEqual(['server/src/modules/boat/add.ts add counts and holds no lock: two side by side both find room']);
  // Of another function.
  expect(seen(locked, ...add)).toHaveLength(1);
  for (const lock of ["await lockSet(db, 'boats');", 'await sql`select from harbour where id = 1 for update`.execute(db);'])
    expect(seen(add[0] ?? '', lock, ...add.slice(1))).toEqual([]);
});

test('what is chosen, and what is counted in memory, needs none', () => {
  expect(seen('async function choose(db: Db) {', counted, "if (rows.length > MOST) throw new Fault('CHOSEN_MANY');", '}')).toEqual([]);
  expect(seen('function wait() {', "if (waiting.length >= MOST_WAITING) throw new Fault('BOATS_FULL');", '}')).toEqual([]);
});
