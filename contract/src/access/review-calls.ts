import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { eachMenu } from './menus.ts';
import { grantReviewMachine } from './state-machines.ts';

/** What is held: a role, another organisation to manage, an API token; or an organisation that another one manages. */
export const GrantKind = z.enum(['role', 'managed', 'token', 'trust']);
/** How it came: `earlier` is what stood before the way was kept. */
export const GrantWay = z.enum(['member', 'import', 'invitation', 'approval', 'signOn', 'system', 'own', 'trust', 'earlier']);
const nodes = new Set(eachMenu().flatMap((node) => (node.type === 1 ? [] : [node.code])));
const MenuCode = z
  .string()
  .max(64)
  .refine((code) => nodes.has(code), 'invalid.menu');

export const GrantReview = z.object({
  id: Id,
  kind: GrantKind,
  /** Who holds it; of a trusteeship the organisation that acts. */
  holder: z.string(),
  account: z.string().nullable(),
  userId: Id.nullable(),
  userState: z.string().nullable(),
  deptName: z.string(),
  /** The role, organisation or token. Null where the reader may not see it. */
  what: z.string().nullable(),
  /** Pages and actions that it opens. */
  menuCount: z.int().nullable(),
  platforms: z.array(z.enum(['centre', 'manager'])),
  way: GrantWay,
  grantedBy: z.string().nullable(),
  grantedAt: Moment.nullable(),
  /** Of the person; of a token its last use. */
  lastUsedAt: Moment.nullable(),
  state: stateOf(grantReviewMachine),
  dueAt: Moment.nullable(),
  /** Of the last decision. */
  decidedAt: Moment.nullable(),
  decidedBy: z.string().nullable(),
  ...allowedActions,
});

const filters = {
  text: filter.text(),
  kind: filter.exact(GrantKind),
  roleId: filter.exact(Id),
  menu: MenuCode,
  deptId: Id,
  way: filter.exact(GrantWay),
  state: filter.exact(stateOf(grantReviewMachine)),
};
const criteria = criteriaOf(filters);
const see = 'access:review:page||access:managerReview:page';
const may = <B extends string>(button: B) => `access:review:${button}||access:managerReview:${button}` as const;
const bulk = call({ can: may('confirm'), stepUp: true, input: bulkOf(criteria), output: BulkOutcome, tx: 'own' });
const one = { can: may('confirm'), stepUp: true, input: ById, output: GrantReview, tx: 'own' } as const;
const onOther = ['MEMBER_SELF', 'MEMBER_ABOVE'] as const;

/** Who holds what, from whom, and whether it is still needed. */
export const reviewCalls = calls('access', '/sys/review', {
  page: call({ can: see, reads: true, input: pageQuery(filters, ['dueAt', 'holder']), output: pageOf(GrantReview) }),
  confirm: call({ ...one, faults: onOther, about: 'grantReview: confirm' }),
  withdraw: call({ ...one, faults: [...onOther, 'LAST_ADMINISTRATOR'], about: 'grantReview: withdraw' }),
  confirmMany: bulk,
  withdrawMany: bulk,
  export: exporting(may('export'), criteria),
});
