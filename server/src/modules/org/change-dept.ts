import { Fault, fault } from '@mooring/contract/kit/fault';
import type { deptCalls } from '@mooring/contract/org/calls';
import { type DeptKind, kindBelow } from '@mooring/contract/org/schemas';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { addDept } from './add-dept.ts';
import { type DeptRow, deptInScope, deptRows, readDept } from './dept.queries.ts';

/** Deep enough for any bank; a path stays short enough for its index. */
export const MOST_LEVELS = 16;

export interface Fields {
  readonly name: string;
  readonly timeZone: string;
  readonly contactName: string;
  readonly contactPhone: string;
  readonly contactEmail: string;
  readonly address: string;
  readonly remark: string;
}
const columns = (of: Fields) => ({
  name: of.name,
  time_zone: of.timeZone,
  contact_name: of.contactName,
  contact_phone: of.contactPhone,
  contact_email: of.contactEmail,
  address: of.address,
  remark: of.remark,
});
const nameTaken = () => new Fault('DEPT_NAME_TAKEN', { fields: { name: 'fault.DEPT_NAME_TAKEN' } });
/** Two at once are settled by the index. */
export const orNameTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string; constraint?: string }).code === '23505') throw nameTaken();
    throw error;
  }
};

export async function addBelow(ctx: Ctx, parentId: number, fields: Fields, kind?: DeptKind) {
  const parent = await deptInScope(ctx, ctx.db, parentId);
  if (kind && kindBelow[parent.kind as DeptKind] !== kind) throw fault('NOT_FOUND');
  if (!parent.open) throw new Fault('DEPT_SHUT');
  if (levelsOf(parent.dept_path) >= MOST_LEVELS) throw new Fault('DEPT_DEPTH');
  const made = await orNameTaken(
    addDept(ctx.db, {
      kind: kindBelow[parent.kind as DeptKind],
      name: fields.name,
      timeZone: fields.timeZone,
      parent: { id: parent.id, path: parent.dept_path },
    }),
  );
  await ctx.db.updateTable('org_dept').set(columns(fields)).where('id', '=', made.id).execute();
  await recordCreated(ctx.db, deptRows, [made.id], ctx.actor.userId);
  ctx.audit({ target: fields.name, after: fields });
  return readDept(ctx, made.id);
}
export const levelsOf = (path: string): number => path.split('.').length - 1;

export const newDept: Handler<typeof deptCalls.add> = (ctx, { parentId, ...fields }) => addBelow(ctx, parentId, fields);

export async function updateDept(ctx: Ctx, id: number, fields: Fields, kind?: DeptKind) {
  const before = await deptInScope(ctx, ctx.db, id);
  if (kind && before.kind !== kind) throw fault('NOT_FOUND');
  if (before.state !== 'enabled' && before.state !== 'disabled') throw fault('OVERTAKEN');
  await orNameTaken(ctx.db.updateTable('org_dept').set(columns(fields)).where('id', '=', id).execute());
  ctx.audit({ target: before.name, before: fieldsOf(before), after: fields });
  await invalidateDepts(ctx, ctx.db, before.dept_path);
  return readDept(ctx, id);
}
const fieldsOf = (row: DeptRow): Fields => ({
  name: row.name,
  timeZone: row.time_zone,
  contactName: row.contact_name,
  contactPhone: row.contact_phone,
  contactEmail: row.contact_email,
  address: row.address,
  remark: row.remark,
});

/** Trees and pickers of everybody who sees a unit, and what their consoles know of it. */
export async function invalidateDepts(ctx: Ctx, db: Db, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) for (const group of ['/sys/dept', '/sys/menus']) await ctx.invalidate(db, group, path);
}
