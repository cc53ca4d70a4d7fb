import { z } from 'zod';
import { type Can, call, calls } from '../../kit/call.ts';
import { exporting } from '../../kit/export.ts';
import { BulkOutcome, bulkOf, COUNT_CAP, criteriaOf, filter, pageOf, pageQuery } from '../../kit/page.ts';
import { documented, Id, Moment } from '../../kit/schema.ts';
import { Task } from './task-calls.ts';
import { driftPath, type TaskKind, taskPermission } from './task-kind.ts';

/** A terminal that has something else than the last release that succeeded there left, of one kind and part. */
export const Drift = z
  .object({
    id: Id,
    deviceId: Id,
    sn: z.string(),
    deviceName: z.string(),
    productName: z.string(),
    deptName: z.string(),
    kind: z.string(),
    /** Of apps the package name, of modules the name, of settings the section; empty where the kind has one part alone. */
    part: z.string(),
    /** What the release left: a version, or the digest of values; null where it put back or removed. */
    version: z.string().nullable(),
    content: Task.shape.content,
    taskId: Id,
    /** Null: the release is gone, and can't be applied again. */
    taskName: z.string().nullable(),
    releasedAt: Moment,
    /** What the terminal says it has now; null where it has none. */
    found: z.string().nullable(),
    since: Moment,
  })
  .register(documented, { id: 'Drift' });
export type Drift = z.infer<typeof Drift>;

const filters = {
  sn: filter.text(32),
  productId: filter.exact(Id),
  deptId: filter.exact(Id),
  /** A part of what was released: its name, its part, the version that was left or is there now. */
  what: filter.text(),
  since: filter.moment(),
};
const Counted = z.object({ count: z.int().max(COUNT_CAP), capped: z.boolean() });
/** `total` and `done` count terminals. */
const AppliedAgain = BulkOutcome.extend({
  /** One for each release that had left something else: only those that could be made. `approval`: it goes out once somebody has agreed to it. */
  releases: z.array(z.object({ id: Id, kind: z.string(), name: z.string(), terminals: z.int(), approval: z.boolean() })),
}).register(documented, { id: 'AppliedAgain' });
export type AppliedAgain = z.infer<typeof AppliedAgain>;

/** So many releases are made anew at a time, each of the same content as before. */
export const MOST_AGAIN = 20;

interface Declared<F extends Record<string, z.ZodType>> {
  readonly domain: string;
  readonly path: string;
  readonly can: Readonly<Record<'page' | 'export' | 'again', Can>>;
  readonly more: F;
}
export function driftCallsAt<F extends Record<string, z.ZodType>>({ domain, path, can, more }: Declared<F>) {
  const all = { ...filters, ...more };
  const criteria = criteriaOf(all);
  return calls(domain, path, {
    page: call({ can: can.page, reads: true, input: pageQuery(all, ['-since']), output: pageOf(Drift) }),
    count: call({ can: can.page, reads: true, input: z.strictObject({ criteria }), output: Counted }),
    export: exporting(can.export, criteria),
    applyAgain: call({
      can: can.again,
      input: bulkOf(criteria),
      output: AppliedAgain,
      tx: 'own',
      faults: ['CHOSEN_MANY', 'DRIFT_MANY_RELEASES', 'DRIFT_RELEASE_GONE', 'DRIFT_NO_PART', 'DRIFT_NOT_SUPPORTED', 'DEVICE_STATE'],
      about:
        'A new release of the same content in the same way (window, download, install, network, pace, time-outs), to those terminals alone, with the checks of every release of its kind.',
    }),
  });
}

/** What differs on terminals from what tasks of a kind left there. */
export const driftCallsOf = (kind: TaskKind) =>
  driftCallsAt({
    domain: kind.domain,
    path: driftPath(kind),
    can: {
      page: taskPermission(kind, 'page'),
      export: taskPermission(kind, 'export'),
      again: [taskPermission(kind, 'add'), taskPermission(kind, 'enable')],
    },
    more: {},
  });
export type DriftCalls = ReturnType<typeof driftCallsOf>;
