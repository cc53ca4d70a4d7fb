import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Name, ref, revises, revision } from '../kit/schema.ts';
import { Nav } from './calls.ts';
import { eachMenu, type MenuNode } from './menus.ts';

const grantable: ReadonlySet<string> = new Set(eachMenu().flatMap((node) => (node.type === 1 ? [] : [node.code])));
const MenuCode = z
  .string()
  .max(64)
  .refine((code) => grantable.has(code), 'invalid.menu');
const Platforms = z
  .array(z.enum(['centre', 'manager']))
  .min(1)
  .max(2);
export const RoleType = z.enum(['1', '2']);
export const RoleCategory = z.enum(['0', '1', '2']);

export const Role = z.object({
  id: Id,
  name: z.string(),
  remark: z.string(),
  type: RoleType,
  category: RoleCategory,
  platforms: z.array(z.enum(['centre', 'manager'])),
  /** Pages and buttons that it opens. */
  menuCount: z.int(),
  seeded: z.boolean(),
  deptId: Id,
  deptName: z.string(),
  /** Holders in scope. */
  holders: z.int(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
export const RoleBrief = z.object({ id: Id, name: z.string(), type: RoleType, deptName: z.string() });

/** A node of the tree that the actor may grant. */
export interface GrantNode {
  code: string;
  name: string;
  type: MenuNode['type'];
  platforms: ('centre' | 'manager')[];
  children: GrantNode[];
}
const Grant: z.ZodType<GrantNode> = z.lazy(() =>
  z.object({
    code: z.string(),
    name: z.string(),
    type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    platforms: z.array(z.enum(['centre', 'manager'])),
    children: z.array(Grant),
  }),
);

const see = 'access:role:page||access:managerRole:page';
const may = <B extends string>(button: B) => `access:role:${button}||access:managerRole:${button}` as const;
const editable = {
  name: Name,
  remark: z.string().trim().max(500).default(''),
  type: RoleType.default('2'),
  category: RoleCategory.default('0'),
  platforms: Platforms.default(['centre', 'manager']),
  menus: z.array(MenuCode).min(1).max(500),
};
const faults = ['ROLE_NAME_TAKEN', 'ROLE_MENU', 'ROLE_PLATFORM', 'ROLE_PLATFORM_ONLY', 'ROLE_KIND'] as const;

const query = pageQuery({ text: filter.text(), type: filter.exact(RoleType), category: filter.exact(RoleCategory) }, ['name', 'createdAt']);

export const roleCalls = calls('access', '/sys/role', {
  page: call({
    can: see,
    reads: true,
    input: query,
    output: pageOf(Role),
  }),
  export: exporting(see, query.shape.criteria),
  detail: call({ can: see, reads: true, input: ById, output: Role.extend({ menus: z.array(z.string()) }) }),
  /** The roles that the actor may give to people of a department, for pickers; at most 100. */
  list: call({
    can: 'session',
    reads: true,
    input: z.strictObject({
      text: z.string().trim().max(64).default(''),
      deptId: ref('dept').optional(),
      ids: z.array(Id).max(50).optional(),
    }),
    output: z.array(RoleBrief),
  }),
  /** The part of the menu tree that the actor may give, named in their language. */
  grantable: call({ can: see, reads: true, input: z.strictObject({ type: RoleType.default('2') }), output: z.array(Grant) }),
  add: call({ can: may('add'), stepUp: true, input: z.strictObject(editable), output: Role, faults }),
  update: call({
    can: may('update'),
    stepUp: true,
    input: z.strictObject({ id: Id, ...revises('role'), ...editable }),
    output: Role,
    faults: [...faults, 'ROLE_SEEDED', 'ROLE_ABOVE'],
  }),
  delete: call({ can: may('delete'), input: ById, faults: ['ROLE_SEEDED', 'ROLE_HELD', 'ROLE_ABOVE'] }),
  /** What a holder sees and may do on each platform; a button stands below its page, whether that one is held or not. */
  preview: call({
    can: see,
    reads: true,
    input: z.strictObject({ menus: z.array(MenuCode).max(500), platforms: Platforms }),
    output: z.object({ centre: z.array(Nav), manager: z.array(Nav) }),
  }),
});
