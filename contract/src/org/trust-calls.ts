import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { DeptBrief } from './schemas.ts';
import { trustMachine } from './state-machines.ts';

/** A term in which one organisation's managers act for another, as one of its sides sees it. */
export const Trust = z.object({
  id: Id,
  side: z.enum(['giver', 'trustee']),
  deptId: Id,
  deptName: z.string(),
  trusteeId: Id,
  trusteeName: z.string(),
  state: stateOf(trustMachine),
  until: Moment,
  givenBy: z.string(),
  createdAt: Moment,
  endedAt: Moment.nullable(),
  ...allowedActions,
});
const see = 'org:dept:page';
const can = 'org:trust:give';
const filters = { deptId: Id, state: filter.exact(stateOf(trustMachine)) };

export const trustCalls = calls('org', '/sys/dept/trust', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery(filters, ['-createdAt', 'until']),
    output: pageOf(Trust),
  }),
  export: exporting(see, criteriaOf(filters)),
  /** Whom it may be given to: the parent, units in scope by a part of their name, others of the product line by their whole name. */
  candidates: call({
    can,
    reads: true,
    input: z.strictObject({ deptId: ref('dept'), text: z.string().trim().max(64).default(''), ids: z.array(Id).max(10).optional() }),
    output: z.array(DeptBrief),
  }),
  give: call({
    can,
    input: z.strictObject({ deptId: ref('dept'), trusteeId: Id, until: z.iso.datetime() }),
    output: Trust,
    faults: ['TRUST_NOT_THERE', 'TRUST_TERM', 'TRUST_TAKEN', 'TRUST_ABOVE', 'DEPT_SHUT'],
  }),
  /** Either side ends it. */
  end: transition(trustMachine, 'end', can, Trust),
});
