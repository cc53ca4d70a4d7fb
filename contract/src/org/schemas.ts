import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { Id, Moment, Name, Remark, revision } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { Email } from '../shared/patterns.ts';
import { isTimeZone } from '../shared/time-zone.ts';
import { orgMachine } from './state-machines.ts';

export const deptKinds = ['platform', 'productLine', 'businessUnit', 'organisation'] as const;
export type DeptKind = (typeof deptKinds)[number];
/** What stands below what: from an organisation on, organisations to any depth. */
export const kindBelow: Readonly<Record<DeptKind, DeptKind>> = {
  platform: 'productLine',
  productLine: 'businessUnit',
  businessUnit: 'organisation',
  organisation: 'organisation',
};

export const DeptBrief = z.object({ id: z.int(), name: z.string(), kind: z.string(), path: z.string(), parentId: z.int().nullable() });
export type DeptBrief = z.infer<typeof DeptBrief>;

export const DeptNode = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(deptKinds),
  parentId: Id.nullable(),
  state: stateOf(orgMachine),
  childCount: z.int(),
});
export type DeptNode = z.infer<typeof DeptNode>;

export const Dept = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(deptKinds),
  parentId: Id.nullable(),
  parentName: z.string().nullable(),
  state: stateOf(orgMachine),
  /** False where it or anything above it is shut. */
  open: z.boolean(),
  timeZone: z.string(),
  contactName: z.string(),
  contactPhone: z.string(),
  contactEmail: z.string(),
  address: z.string(),
  remark: z.string(),
  reason: z.string().nullable(),
  mergedInto: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
export type Dept = z.infer<typeof Dept>;

/** What lies at and below a unit; `units` counts those below, `tasks` the releases that have begun or will by themselves and haven't ended. */
export const Impact = z.object({ units: z.int(), people: z.int(), devices: z.int(), tasks: z.int() });
export type Impact = z.infer<typeof Impact>;
export const DeptDetail = Dept.extend({ impact: Impact });

const contact = {
  contactName: z.string().trim().max(64).default(''),
  contactPhone: z.string().trim().max(32).default(''),
  contactEmail: z.union([z.literal(''), Email]).default(''),
  address: z.string().trim().max(200).default(''),
  remark: Remark.default(''),
};
export const deptFields = {
  name: Name,
  timeZone: z.string().max(64).refine(isTimeZone, 'invalid.timeZone').default('UTC'),
  ...contact,
};
