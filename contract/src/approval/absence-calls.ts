import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { filter } from '../kit/page.ts';
import { ById, Id, Moment } from '../kit/schema.ts';

/** Nobody hands their decisions over for good. */
export const ABSENCE_DAYS = 366;
export const ABSENCES_AHEAD = 20;

const Absence = z.object({
  id: Id,
  /** The other person of it: who decides, or for whom one decides. */
  name: z.string(),
  fromAt: Moment,
  untilAt: Moment,
  state: z.enum(['planned', 'active']),
  /** The delegate could decide: they still approve as the absent person does, and aren't away themselves. */
  works: z.boolean(),
});

/** One's own absences from approvals, and who decides meanwhile. */
export const absenceCalls = calls('approval', '/task/audit/absence', {
  status: call({
    can: 'session',
    reads: true,
    output: z.object({
      /** The person approves something, so that their absence matters. */
      approves: z.boolean(),
      absences: z.array(Absence),
      standsInFor: z.array(Absence),
    }),
  }),
  /** People of the own organisation who approve as the person does. */
  delegates: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: filter.text().optional() }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  add: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({ delegateId: Id, fromAt: Moment, untilAt: Moment }),
    output: Absence,
    faults: ['ABSENCE_TIMES', 'ABSENCE_OVERLAPS', 'ABSENCE_LIMIT', 'DELEGATE_ROLE', 'DELEGATE_AWAY'],
  }),
  end: call({ can: 'session', tx: 'own', input: ById }),
});
