import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, ref } from '../kit/schema.ts';
import { outcomes } from './outcome.ts';
import { ChainReport, Signature } from './proof.ts';

const Action = z.object({ text: z.string(), page: z.string().nullable() });

/** What a person did: one changing call. `result` is `done` or the fault that it met. */
export const LogEntry = z.object({
  id: Id,
  at: Moment,
  actorName: z.string(),
  /** Their own organisation, where they acted for another one (a trustee, a manager of several). */
  actorDept: z.string().nullable(),
  domain: z.string(),
  call: z.string(),
  /** Key of the text that says what was done; of what only reads, the page. */
  action: Action,
  target: z.string().nullable(),
  result: z.string(),
  outcome: z.enum(outcomes),
  /** How often within a minute, for what was refused: of one account, from one address. */
  count: z.int(),
  platform: z.string().nullable(),
  ip: z.string(),
  /** With what it was tried, as it named itself, and as whom: of what was refused before anybody was signed in. */
  device: z.string().nullable(),
  tried: z.string().nullable(),
  requestId: z.string(),
  /** Its link in the hash chain; null until it is sealed, seconds later. */
  sealNo: z.int().nullable(),
});
/** The parts of the product that change something; what the log's filter offers. */
export const logDomains = [
  'auth',
  'account',
  'org',
  'access',
  'audit-log',
  'message',
  'language',
  'settings',
  'product',
  'blackout',
  'device',
  'hardware-test',
  'customer',
  'merchant',
  'alert',
  'geofence',
  'inventory',
  'order',
  'app',
  'file',
  'approval',
  'firmware',
  'module',
  'patch',
  'app-permission',
  'desktop',
  'paramfile',
  'task',
  'network-config',
  'stats',
  'job',
  'help',
  'signing',
] as const;

const criteria = {
  text: filter.text(),
  actorName: filter.text(),
  domain: filter.exact(z.enum(logDomains)),
  result: filter.exact(z.enum(['done', 'refused'])),
  ip: filter.text(45),
  at: filter.moment(),
};
const see = 'audit:log:page||audit:management:page';

export const logCalls = calls('audit-log', '/sys/logs', {
  page: call({ can: see, reads: true, input: pageQuery(criteria, ['-at']), output: pageOf(LogEntry) }),
  detail: call({
    can: see,
    reads: true,
    input: ById,
    output: LogEntry.extend({ input: z.unknown(), before: z.unknown(), after: z.unknown(), hash: z.string().nullable() }),
  }),
  export: exporting(see, pageQuery(criteria, ['-at']).shape.criteria),
  /** Follows the whole chain in the background; its work says whether it holds. */
  verify: call({ can: 'audit:log:verify', output: z.object({ work: Id }) }),
  /** The daily signatures, the key that checks them, and what the last verification found. */
  proof: call({
    can: 'audit:log:verify',
    reads: true,
    output: z.object({
      keyId: z.string(),
      publicKey: z.string(),
      heads: z.array(Signature),
      checkedAt: Moment.nullable(),
      check: ChainReport.nullable(),
    }),
  }),
});

export const footprintKinds = ['signIn', 'signOut', 'visit', 'act'] as const;
export const Footprint = z.object({
  id: Id,
  at: Moment,
  kind: z.enum(footprintKinds),
  /** The screen's path, the call's path, or the address of a sign-in. */
  what: z.string(),
  target: z.string().nullable(),
  platform: z.string().nullable(),
  result: z.string().nullable(),
  /** Of an act: what was done and what became of it, as the log names them. */
  action: Action.nullable(),
  outcome: z.enum(outcomes).nullable(),
});

export const footprintCalls = calls('audit-log', '/sys/logs/footprint', {
  /** Sign-ins, visited screens and acts of one person, in order. */
  page: call({
    can: 'audit:footprint:page',
    reads: true,
    input: pageQuery({ userId: ref('user'), kind: filter.exact(z.enum(footprintKinds)), at: filter.moment() }, ['-at']),
    output: pageOf(Footprint),
  }),
  people: call({
    can: 'audit:footprint:page',
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(10).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
  /** The console tells which screen a person opened. It is itself the record, so it leaves no other. */
  visit: call({
    can: 'session',
    audited: false,
    input: z.strictObject({ path: z.string().regex(/^\/[\w./-]{0,200}$/, 'invalid.path') }),
  }),
});
