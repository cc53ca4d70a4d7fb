import { type DeptKind, deptFields, kindBelow } from '@mooring/contract/org/schemas';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { readCells, type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { addBelow, type Fields, levelsOf, MOST_LEVELS } from './change-dept.ts';

const columns = {
  name: 'org.name',
  parent: 'org.parent',
  timeZone: 'org.timeZone',
  contactName: 'org.contactName',
  contactPhone: 'org.contactPhone',
  contactEmail: 'org.contactEmail',
  address: 'org.address',
  remark: 'org.remark',
} as const;
type Column = keyof typeof columns;
const Sheet = z.object(deptFields);

/** What stands already, or a row further up. */
type Parent = { readonly id: number } | { readonly row: number };
export interface DeptLine {
  readonly number: number;
  readonly parent: Parent;
  readonly fields: Fields;
}
interface Place {
  readonly parent: Parent;
  readonly kind: DeptKind;
  readonly levels: number;
  readonly open: boolean;
}
const keyOf = (parent: Parent) => ('id' in parent ? `id ${parent.id}` : `row ${parent.row}`);

/** Units of the scope that the sheet names as parents, by name or number; `many` where a name is no one's alone. */
async function standing(ctx: Ctx, names: readonly string[]) {
  const { path } = ctx.scope;
  const lower = names.map((name) => name.toLowerCase());
  const { rows } = await ctx.inTx((db) =>
    sql<{ id: number; name: string; kind: DeptKind; path: string; open: boolean }>`
      select id, lower(name) as name, kind, dept_path as path, is_dept_open(dept_path) as open from org_dept
      where dept_path >= ${path} and dept_path < ${`${path}~`} and state in ('enabled', 'disabled')
        and (lower(name) = any(${lower}::text[]) or id::text = any(${[...names]}::text[]) or dept_path = ${path})`.execute(db),
  );
  const found = new Map<string, Place | 'many'>();
  for (const row of rows) {
    const place = { parent: { id: row.id }, kind: row.kind, levels: levelsOf(row.path), open: row.open };
    found.set(row.name, found.has(row.name) ? 'many' : place);
    if (row.path === path) found.set('', place);
  }
  for (const row of rows) found.set(String(row.id), { parent: { id: row.id }, kind: row.kind, levels: levelsOf(row.path), open: row.open });
  return found;
}

/** Names that live units below these parents have already, as "id 7 harbour bank". */
async function takenBelow(ctx: Ctx, ids: readonly number[]): Promise<ReadonlySet<string>> {
  const { rows } = await ctx.inTx((db) =>
    sql<{ parent: number; name: string }>`select parent_id as parent, lower(name) as name from org_dept
      where parent_id = any(${[...ids]}::bigint[]) and state not in ('closed', 'refused')`.execute(db),
  );
  return new Set(rows.map((row) => `id ${row.parent} ${row.name}`));
}

async function checkDepts(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: DeptLine[]; wrong: Wrong[] }> {
  const places = await standing(ctx, [...new Set(lines.map((line) => line.text.parent))]);
  const known = [...places.values()].flatMap((place) => (place !== 'many' && 'id' in place.parent ? [place.parent.id] : []));
  const taken = await takenBelow(ctx, known);
  const inSheet = new Set<string>();
  const rows: DeptLine[] = [];
  const wrong: Wrong[] = [];
  for (const { number, text } of lines) {
    const bad: Wrong[] = [];
    const report = (column: Column, fault: string) => bad.push({ row: number, column, fault });
    const cells = { ...text, timeZone: text.timeZone || 'UTC' };
    const fields = readCells(Sheet, cells, number);
    bad.push(...fields.bad.filter(({ column }) => column in columns));
    const place = places.get(text.parent.toLowerCase());
    if (place === undefined) report('parent', 'NOT_FOUND');
    else if (place === 'many') report('parent', 'SHEET_MANY');
    else {
      if (!place.open) report('parent', 'DEPT_SHUT');
      if (place.levels >= MOST_LEVELS) report('parent', 'DEPT_DEPTH');
      const key = `${keyOf(place.parent)} ${text.name.toLowerCase()}`;
      if (inSheet.has(key)) report('name', 'SHEET_TWICE');
      else if (taken.has(key)) report('name', 'DEPT_NAME_TAKEN');
      inSheet.add(key);
      // Rows further down may stand below this one, be it wrong in other cells or not.
      const name = text.name.toLowerCase();
      if (name !== '' && !bad.some((one) => one.column === 'name'))
        places.set(
          name,
          places.has(name) ? 'many' : { parent: { row: number }, kind: kindBelow[place.kind], levels: place.levels + 1, open: place.open },
        );
      if (bad.length === 0 && fields.values) rows.push({ number, parent: place.parent, fields: fields.values });
    }
    wrong.push(...bad);
  }
  return { rows, wrong };
}

/** Organisations from a spreadsheet, each below what stands already or a row above it. */
export const deptImport = (store: BlobStore) =>
  sheetImport<Column, DeptLine>(
    {
      job: 'org:import',
      title: 'work.import.dept',
      things: 'organisations',
      columns,
      example: async (ctx) => {
        const own = await ctx.db.selectFrom('org_dept').select('name').where('dept_path', '=', ctx.scope.path).executeTakeFirst();
        return ['Harbour Bank', own?.name ?? '', 'Europe/London', 'Jane Doe', '+44 20 7946 0000', 'jane.doe@example.com', '', ''];
      },
      fileName: 'organisations.xlsx',
      may: (ctx) => ctx.actor.permissions.has('org:dept:add'),
      check: checkDepts,
      prepare: async (_ctx, rows) => async (inner) => {
        const made = new Map<number, number>();
        for (const { number, parent, fields } of rows) {
          const above = 'id' in parent ? parent.id : (made.get(parent.row) ?? 0);
          made.set(number, (await addBelow(inner, above, fields)).id);
        }
      },
    },
    store,
  );
