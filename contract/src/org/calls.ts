import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { importing, importTemplate } from '../kit/import.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, ref, revises } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { Dept, DeptBrief, DeptDetail, DeptNode, deptFields, deptKinds, Impact } from './schemas.ts';
import { orgMachine } from './state-machines.ts';

export { DeptBrief };

const see = 'org:dept:page';
const Reason = z.string().trim().min(1).max(200);
const listed = { text: filter.text(), kind: filter.exact(z.enum(deptKinds)), state: filter.exact(stateOf(orgMachine)) };
const applied = { text: filter.text(), state: filter.exact(stateOf(orgMachine)) };
const preview = z.boolean().default(false);
const regrouping = [
  'DEPT_OWN',
  'DEPT_NAME_TAKEN',
  'DEPT_PLACE',
  'DEPT_CYCLE',
  'DEPT_LINE',
  'DEPT_SHUT',
  'DEPT_DEPTH',
  'SOURCE_PEOPLE_ABOVE',
  'TARGET_PEOPLE_ABOVE',
  'DEPT_PROFILE',
  'DEPT_PROFILE_UNSEEN',
] as const;

export const deptCalls = calls('org', '/sys/dept', {
  /** The organisations that a person may act for on the manager platform: their own, the managed ones, and those in trust. */
  managed: call({ can: 'session', reads: true, output: z.array(DeptBrief) }),
  /** Departments in scope whose name matches, for pickers; at most 50, sorted by path. */
  search: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(200).optional() }),
    output: z.array(DeptBrief),
  }),
  /** One level below `parentId`, or one's own unit without it; with `text` the matching units with all above them, at most 200. */
  tree: call({
    can: see,
    reads: true,
    input: z.strictObject({ parentId: Id.nullish(), text: z.string().trim().max(64).optional() }),
    output: z.object({ nodes: z.array(DeptNode), matches: z.array(Id), more: z.boolean() }),
  }),
  /** All of the scope as one list; what applied stands in `applications`. */
  page: call({ can: see, reads: true, input: pageQuery(listed, ['name']), output: pageOf(Dept) }),
  export: exporting(see, criteriaOf(listed)),
  template: importTemplate('org:dept:add'),
  import: importing('org:dept:add'),
  detail: call({ can: see, reads: true, input: ById, output: DeptDetail }),
  add: call({
    can: 'org:dept:add',
    input: z.strictObject({ parentId: ref('dept'), ...deptFields }),
    output: Dept,
    faults: ['DEPT_NAME_TAKEN', 'DEPT_SHUT', 'DEPT_DEPTH'],
  }),
  update: call({
    can: 'org:dept:update',
    input: z.strictObject({ id: Id, ...revises('dept'), ...deptFields }),
    output: Dept,
    faults: ['DEPT_NAME_TAKEN'],
  }),
  enable: transition(orgMachine, 'enable', 'org:dept:state', Dept, { faults: ['DEPT_OWN'] }),
  /** People of it and below can't sign in any more, and their running tasks pause: `tasks` counts those. A preview changes nothing. */
  disable: call({
    can: 'org:dept:state',
    input: z.strictObject({ id: Id, preview }),
    output: Impact,
    faults: ['DEPT_OWN', 'LAST_ADMINISTRATOR'],
  }),
  approve: transition(orgMachine, 'approve', 'org:dept:audit', Dept, { faults: ['DEPT_OWN', 'DEPT_NAME_TAKEN', 'FOUNDING_ABOVE'] }),
  refuse: call({ can: 'org:dept:audit', input: z.strictObject({ id: Id, reason: Reason }), output: Dept, faults: ['DEPT_OWN'] }),
  /** Applied and refused ones. */
  applications: call({
    can: see,
    reads: true,
    input: pageQuery(applied, ['-createdAt', 'name']),
    output: pageOf(Dept),
  }),
  exportApplications: exporting(see, criteriaOf(applied)),
  /** Below another parent with all that is below it, all or nothing, in the background. */
  move: call({
    can: 'org:dept:move',
    input: z.strictObject({ id: Id, parentId: ref('dept'), preview }),
    output: Impact.extend({ work: Id.nullable() }),
    faults: regrouping,
  }),
  /** Everything of one unit goes to another; the source stays readable as closed. */
  merge: call({
    can: 'org:dept:move',
    input: z.strictObject({ id: Id, into: ref('dept'), preview }),
    output: Impact.extend({ work: Id.nullable() }),
    faults: regrouping,
  }),
});
