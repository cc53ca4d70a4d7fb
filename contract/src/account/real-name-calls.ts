import { z } from 'zod';
import { allowedActionsOf } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Day, Id, Moment, Name, sealed } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { realNameMachine } from './state-machines.ts';

export const documentKinds = ['idCard', 'passport', 'residence', 'driving'] as const;
export const pictureKinds = ['front', 'back', 'licence'] as const;
/** What may be wrong, each with a reason of its own. */
export const realNameFields = {
  person: ['name', 'documentKind', 'number', 'validUntil', 'front', 'back'],
  org: ['name', 'number', 'legalPerson', 'validUntil', 'licence'],
} as const;
export const RealNameField = z.enum(['name', 'documentKind', 'number', 'legalPerson', 'validUntil', 'front', 'back', 'licence']);
export type RealNameField = z.infer<typeof RealNameField>;
export const RealNameKind = z.enum(['person', 'org']);
const Outcome = z.enum(['waiting', 'approved', 'refused', 'timedOut']);
const Number4 = z.string();

const Shown = z.object({
  kind: RealNameKind,
  name: z.string(),
  documentKind: z.string(),
  /** All but the last four signs hidden. */
  number: Number4,
  legalPerson: z.string().nullable(),
  validUntil: Day,
});
const Picture = z.object({ id: Id, which: z.enum(pictureKinds) });
const Handed = Shown.extend({
  id: Id,
  outcome: Outcome,
  reasons: z.partialRecord(RealNameField, z.string()),
  createdAt: Moment,
  decidedAt: Moment.nullable(),
});

/** One's own real name. */
export const RealName = z.object({
  state: stateOf(realNameMachine),
  checked: Shown.nullable(),
  /** What was handed in last, with its pictures. */
  request: Handed.extend({ pictures: z.array(Picture) }).nullable(),
  /** What may be handed in now. */
  may: z.array(RealNameKind),
  /** One's own, or that of one's organisation, is good. */
  authenticated: z.boolean(),
  /** What one may not do before that. */
  withheld: z.array(z.string()),
});

const number = sealed('realName', { min: 4, max: 64 });
const PictureId = z.int().positive();
const submitFaults = ['REAL_NAME_WAITS', 'REAL_NAME_CHECKED', 'REAL_NAME_DAY', 'PICTURE_UNKNOWN', 'SEAL_REFUSED'];

export const realNameCalls = calls('account', '/sys/user/realName', {
  authInfo: call({ can: 'session', reads: true, path: '/sys/user/authInfo', output: RealName }),
  /** A picture of a document as base64, drawn anew and sealed. It belongs to the person until it is handed in. */
  addPicture: call({
    can: 'session',
    tx: 'own',
    path: '/sys/user/realName/picture/add',
    input: z.strictObject({ image: z.string().max(900_000) }),
    output: z.object({ id: Id }),
    faults: ['FILE_NOT_GENUINE', 'PICTURE_LARGE', 'NO_SPACE'],
    timeout: 60,
  }),
  /** One's own picture, as a data address. */
  picture: call({
    can: 'session',
    reads: true,
    tx: 'own',
    input: ById,
    output: z.object({ image: z.string() }),
  }),
  person: call({
    can: 'session',
    input: z.strictObject({
      name: Name,
      documentKind: z.enum(documentKinds),
      number,
      validUntil: Day,
      front: PictureId,
      back: PictureId,
    }),
    output: RealName,
    faults: submitFaults,
  }),
  org: call({
    can: 'session',
    input: z.strictObject({
      name: z.string().trim().min(1).max(128),
      number,
      legalPerson: Name,
      validUntil: Day,
      licence: PictureId,
    }),
    output: RealName,
    faults: [...submitFaults, 'REAL_NAME_MANAGER'],
  }),
});

const AuditRow = Handed.extend({
  userId: Id,
  account: z.string(),
  userName: z.string(),
  deptName: z.string(),
  decidedBy: z.string().nullable(),
  ...allowedActionsOf(['approve', 'refuse']),
});
const can = 'account:authAudit:page';

/** What auditors see of it. Each kind needs its own permission besides. */
export const authAuditCalls = calls('account', '/sys/user/authAudit', {
  page: call({
    can,
    reads: true,
    input: pageQuery({ text: filter.text(), kind: filter.exact(RealNameKind), outcome: filter.exact(Outcome) }, ['-createdAt', 'name']),
    output: pageOf(AuditRow),
  }),
  detail: call({
    can,
    reads: true,
    input: ById,
    output: AuditRow.extend({ pictures: z.array(Picture), checked: Shown.nullable() }),
  }),
  /** A picture as a data address, for this one look. Not a read: each is written to the log. */
  picture: call({
    can,
    tx: 'own',
    path: '/sys/user/authAudit/picture/view',
    input: z.strictObject({ id: Id, which: z.enum(pictureKinds) }),
    output: z.object({ image: z.string() }),
  }),
  /** The whole number, to hold against the picture; written to the log as well. */
  number: call({
    can,
    path: '/sys/user/authAudit/number/view',
    input: ById,
    output: z.object({ number: z.string() }),
  }),
  approve: call({ can, input: ById, output: AuditRow, faults: ['REAL_NAME_OWN', 'REAL_NAME_DAY'] }),
  refuse: call({
    can,
    input: z.strictObject({
      id: Id,
      reasons: z
        .partialRecord(RealNameField, z.string().trim().min(1).max(200))
        .refine((reasons) => Object.keys(reasons).length > 0, 'invalid.required'),
    }),
    output: AuditRow,
    faults: ['REAL_NAME_OWN'],
  }),
  /** Waiting ones by kind; what the caller may not see counts as none. */
  waitingCount: call({ can: 'session', reads: true, output: z.object({ enterpriseAuditCount: z.int(), personalAuditCount: z.int() }) }),
});
