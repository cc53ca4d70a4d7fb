import { ChangeCells, SHEET_ROWS_MOST } from '@mooring/contract/device/sheet/sheet-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import type { Judged, SheetKind, WrongCell } from '../../../platform/work/sheet-kind.ts';
import type { Line } from '../../../platform/work/sheet-lines.ts';
import { isManyGroups, readCells } from './cells.ts';
import { barredOf, listed, places } from './place-cells.ts';
import { type ChangedRow, writeChanges } from './write-changes.ts';

const titles = {
  sn: 'device.sn',
  name: 'device.name',
  merchant: 'device.sheet.merchant',
  shop: 'device.sheet.shop',
  groups: 'device.groups',
  tags: 'device.tags',
  remark: 'device.remark',
  notes: 'device.notes',
} as const;
type Column = keyof typeof titles;
type Text = Line<Column>['text'];
/** A cell that holds just this is to be emptied. */
const CLEAR = '-';

interface There {
  readonly id: number;
  readonly sn: string;
  readonly name: string;
  readonly tags: string[];
  readonly remark: string;
  readonly notes: string;
  readonly merchant_id: number | null;
  readonly shop_id: number | null;
  readonly merchant: string | null;
  readonly shop: string | null;
  readonly path: string;
  /** Those that people choose for, in sight. */
  readonly groups: readonly { readonly id: number; readonly name: string }[];
}
async function thereOf(ctx: Ctx, lines: readonly Line<Column>[]): Promise<ReadonlyMap<string, There>> {
  const sns = lines.flatMap(({ text }) => (text.sn ? [text.sn.toUpperCase()] : []));
  const { rows } = await ctx.inTx((db) =>
    sql<There>`
      select d.id, d.sn, d.name, d.tags, d.remark, d.notes, d.merchant_id, d.shop_id, m.number as merchant, s.number as shop, d.dept_path as path,
        coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name) from device_group_member x join device_group g on g.id = x.group_id
          where x.device_id = d.id and g.kind = 'static'), '[]') as groups
      from device d left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
      where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db),
  );
  return new Map(rows.map((row) => [row.sn, row]));
}

type Change = { column: Column; from: string; to: string };
const differing = (column: Column, from: string, to: string | undefined): Change[] =>
  to === undefined || from === to ? [] : [{ column, from, to }];
const join = (tags: readonly string[]) => tags.join(', ');

function judgeChanges(ctx: Ctx) {
  const place = places(ctx);
  const seen = new Set<string>();

  /** What the cells set; those that are empty, or that the file hasn't, set nothing. */
  const setOf = (text: Text) => {
    const cell = (column: 'name' | 'remark' | 'notes') => (text[column] ? (text[column] === CLEAR ? '' : text[column]) : undefined);
    const tags = text.tags ? (text.tags === CLEAR ? [] : listed(text.tags)) : undefined;
    return { sn: text.sn ?? '', name: text.name === CLEAR ? undefined : cell('name'), remark: cell('remark'), notes: cell('notes'), tags };
  };

  /** Where it is to stand; undefined where the row doesn't say. */
  const placeOf = (text: Text, there: There, bad: WrongCell<Column>[]) => {
    if (text.merchant === CLEAR) return { merchantId: null, shopId: null };
    const wanted = { ...text, shop: text.shop === CLEAR ? '' : text.shop };
    if (!text.merchant && text.shop === CLEAR) return { merchantId: there.merchant_id, shopId: null };
    if (!text.merchant && !text.shop) return undefined;
    const found = place.merchant(wanted as Text, there.path, bad);
    const stays = found.merchantId === there.merchant_id && !text.shop;
    return stays ? { ...found, shopId: there.shop_id } : found;
  };

  /** Which it is to be in; undefined where the row doesn't say. */
  const groupsOf = (text: Text, there: There, bad: WrongCell<Column>[]) => {
    if (!text.groups) return undefined;
    const wanted = text.groups === CLEAR ? [] : place.groups(text, there.path, bad);
    if (isManyGroups(wanted)) bad.push({ column: 'groups', fault: 'SHEET_GROUPS_FULL' });
    const now = there.groups.map(({ id }) => id);
    return { joins: wanted.filter((id) => !now.includes(id)), leaves: now.filter((id) => !wanted.includes(id)) };
  };

  const one = ({ text }: Line<Column>, all: ReadonlyMap<string, There>): Judged<Column, ChangedRow> => {
    const { values, bad } = readCells<Column, typeof ChangeCells>(ChangeCells, setOf(text));
    if (text.name === CLEAR) bad.push({ column: 'name', fault: 'SHEET_KEEP' });
    const sn = (text.sn ?? '').toUpperCase();
    const there = all.get(sn);
    const isRead = !bad.some(({ column }) => column === 'sn');
    if (isRead && seen.has(sn)) bad.push({ column: 'sn', fault: 'SHEET_TWICE' });
    else if (isRead && !there) bad.push({ column: 'sn', fault: 'NOT_FOUND' });
    seen.add(sn);
    const allowed = place.allowed(text, bad);
    const where = there && placeOf(allowed, there, bad);
    const groups = there && groupsOf(allowed, there, bad);
    if (bad.length > 0 || !values || !there) return { bad, row: undefined };
    const tags = values.tags && [...new Set(values.tags)];
    const isElsewhere = where !== undefined && (where.merchantId !== there.merchant_id || where.shopId !== there.shop_id);
    const changes = [
      ...differing('name', there.name, values.name),
      ...differing('tags', join(there.tags), tags && join(tags)),
      ...differing('remark', there.remark, values.remark),
      ...differing('notes', there.notes, values.notes),
      ...(isElsewhere ? placeChanges(text, there, where) : []),
      ...(groups && groups.joins.length + groups.leaves.length > 0
        ? differing('groups', join(there.groups.map(({ name: of }) => of)), text.groups === CLEAR ? '' : join(listed(text.groups)))
        : []),
    ];
    const { name, remark, notes } = values;
    const nowhere = { merchantId: null, shopId: null };
    const said = { name, tags, remark, notes, isPlaced: isElsewhere, ...(where ?? nowhere), ...(groups ?? { joins: [], leaves: [] }) };
    return { bad, changes, row: { id: there.id, isSame: changes.length === 0, ...said } };
  };

  return async (lines: readonly Line<Column>[]) => {
    const all = await thereOf(ctx, lines);
    await place.load(lines.map(({ text }) => ({ text, path: all.get((text.sn ?? '').toUpperCase())?.path })));
    return lines.map((line) => one(line, all));
  };
}

const placeChanges = (text: Text, there: There, where: { merchantId: number | null; shopId: number | null }): Change[] => [
  ...(where.merchantId === there.merchant_id
    ? []
    : [{ column: 'merchant' as const, from: there.merchant ?? '', to: where.merchantId === null ? '' : (text.merchant ?? '') }]),
  ...(where.shopId === there.shop_id
    ? []
    : [{ column: 'shop' as const, from: there.shop ?? '', to: where.shopId === null ? '' : (text.shop ?? '') }]),
];

export const changeSheet: SheetKind<Column, object, ChangedRow> = {
  job: 'device:change',
  title: 'work.import.deviceChange',
  things: 'terminals',
  fileName: 'terminals-change.xlsx',
  titles,
  key: 'sn',
  needed: ['sn'],
  rows: SHEET_ROWS_MOST,
  given: z.object({}),
  template: async (ctx) => {
    const barred = barredOf(ctx);
    const columns = (Object.keys(titles) as Column[]).filter((column) => !barred.has(column));
    const example: Readonly<Partial<Record<Column, string>>> = {
      sn: 'SN00000001',
      name: 'Counter 1',
      tags: 'counter, pilot',
      remark: CLEAR,
    };
    return { columns, rows: [columns.map((column) => example[column] ?? '')] };
  },
  may: ({ actor }) => actor.permissions.has('device:device:update') || actor.permissions.has('device:all:update'),
  judge: judgeChanges,
  held: {
    id: ({ id }) => id,
    hold: ({ db }, ids) => sql`select id from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db),
  },
  write: writeChanges,
  touches: ['/device', '/merchant', '/shop'],
};
