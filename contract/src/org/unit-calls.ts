import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, ref, revises } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { Dept, deptFields, Impact } from './schemas.ts';
import { orgMachine } from './state-machines.ts';

const filters = { text: filter.text(), state: filter.exact(stateOf(orgMachine)) };
/** With how many units, people and terminals are below. */
export const Unit = Dept.extend({ impact: Impact });

const see = 'org:unit:page';
const add = { can: 'org:unit:add', output: Dept, faults: ['DEPT_NAME_TAKEN', 'DEPT_SHUT'] } as const;
const common = (can: 'org:unit:update') => ({
  update: call({ can, input: z.strictObject({ id: Id, ...revises('dept'), ...deptFields }), output: Dept, faults: ['DEPT_NAME_TAKEN'] }),
  enable: transition(orgMachine, 'enable', 'org:unit:state', Dept, { faults: ['DEPT_OWN'] }),
  disable: call({
    can: 'org:unit:state',
    input: z.strictObject({ id: Id, preview: z.boolean().default(false) }),
    output: Impact,
    faults: ['DEPT_OWN', 'LAST_ADMINISTRATOR'],
  }),
});

const regionFilters = { ...filters, productLineId: filter.exact(Id) };
/** Sales regions: the rows of kind `businessUnit`. */
export const businessUnitCalls = calls('org', '/sys/businessUnit', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery(regionFilters, ['name', 'createdAt']),
    output: pageOf(Unit),
  }),
  export: exporting(see, criteriaOf(regionFilters)),
  add: call({ ...add, input: z.strictObject({ productLineId: ref('dept'), ...deptFields }) }),
  ...common('org:unit:update'),
});

export const productLineCalls = calls('org', '/sys/productLine', {
  page: call({ can: see, reads: true, input: pageQuery(filters, ['name', 'createdAt']), output: pageOf(Unit) }),
  export: exporting(see, criteriaOf(filters)),
  add: call({ ...add, input: z.strictObject(deptFields) }),
  ...common('org:unit:update'),
});
