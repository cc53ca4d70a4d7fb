import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment } from '../kit/schema.ts';

/** A session that lives now. */
export const OnlineUser = z.object({
  id: Id,
  userId: Id,
  name: z.string(),
  account: z.string(),
  deptName: z.string(),
  platform: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  since: Moment,
  seenAt: Moment,
  own: z.boolean(),
  ...allowedActions,
});
const can = 'audit:footprint:page';
const query = pageQuery({ text: filter.text(), platform: filter.exact(z.enum(['centre', 'manager'])) }, ['-seenAt']);

export const onlineCalls = calls('access', '/api/online/user', {
  list: call({ can, reads: true, input: query, output: pageOf(OnlineUser) }),
  export: exporting(can, query.shape.criteria),
  end: call({ can: 'audit:footprint:end', input: ById }),
});
