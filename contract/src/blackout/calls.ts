import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Day, Moment, Name, Remark, ref } from '../kit/schema.ts';

/** Longer ones are two: a release names at most a hundred dates to its terminals. */
export const BLACKOUT_DAYS = 60;

/** Days on which nothing is installed on the terminals of an organisation and of all below it (design 2, "Release safety"). */
export const Blackout = entity(
  'blackout',
  {
    name: field(Name, { sort: true }),
    fromDay: field(Day, { sort: true }),
    toDay: field(Day, { sort: true, help: true }),
    deptId: field(ref('dept'), { fixed: true, help: true }),
    deptName: joined(z.string(), { text: 'blackout.deptId' }),
    remark: field(Remark.default('')),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'inherited', order: '-fromDay', search: { text: ['name'] } },
);

const can = <A extends string>(act: A) => `release:blackout:${act}` as const;
export const blackoutCalls = calls(
  'blackout',
  '/release/blackout',
  crud(Blackout, { see: can('page'), add: can('add'), update: can('update'), delete: can('delete') }),
);
