import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, ref } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { messageMachine } from './state-machines.ts';

/** Specification section 4: type 1 system, 2 user, 3 third-party; priority 1 high, 2 medium, 3 low. */
export const MessageType = z.enum(['1', '2', '3']);
export const Priority = z.enum(['1', '2', '3']);
export const Channel = z.enum(['centre', 'popup', 'email']);
export const Recipients = z.enum(['all', 'organisation', 'users']);

/** One message in one person's list. */
export const Message = z.object({
  id: Id,
  type: MessageType,
  priority: Priority,
  title: z.string(),
  text: z.string(),
  /** Where in the console it leads. */
  link: z.string().nullable(),
  sender: z.string().nullable(),
  status: stateOf(messageMachine),
  createdAt: Moment,
  readAt: Moment.nullable(),
  /** Whoever sent it took it back: its text is no more. */
  recalledAt: Moment.nullable(),
  ...allowedActions,
});
const Ids = z.strictObject({ ids: z.array(Id).min(1).max(1000) });
const Which = z.strictObject({ which: z.enum(['all', 'read', 'unread']) });
const send = 'message:message:send||message:manager:send';
const ownFilters = {
  text: filter.text(),
  status: filter.exact(stateOf(messageMachine)),
  type: filter.exact(MessageType),
  priority: filter.exact(Priority),
  createdAt: filter.moment(),
};
const sentFilters = { text: filter.text(), createdAt: filter.moment() };
const readerFilters = { messageId: Id, status: filter.exact(stateOf(messageMachine)) };

/** Each person's own messages (specification, section 7: /message). */
export const messageCalls = calls('message', '/message', {
  page: call({
    can: 'session',
    reads: true,
    input: pageQuery(ownFilters, ['-createdAt']),
    output: pageOf(Message),
  }),
  export: exporting('session', criteriaOf(ownFilters)),
  /** Opening one reads it. */
  detail: call({ can: 'session', input: ById, output: Message }),
  /** For the bell: counted to 99. `popups` are shown once and then marked; what `stays`, until it is read. */
  count: call({
    can: 'session',
    reads: true,
    output: z.object({
      unreadNum: z.int(),
      popups: z.array(
        z.object({ id: Id, title: z.string(), text: z.string(), priority: Priority, sender: z.string().nullable(), stays: z.boolean() }),
      ),
      /** Notices that pop up; one of high priority comes again until it is read. */
      notices: z.array(z.object({ id: Id, title: z.string(), text: z.string(), priority: Priority })),
    }),
  }),
  /** The console's own note that it showed them. */
  popped: call({ can: 'session', input: Ids, audited: false }),
  poppedNotices: call({ can: 'session', input: Ids, audited: false }),
  read: call({ can: 'session', input: Ids, output: z.object({ changed: z.int() }) }),
  readAll: call({ can: 'session', output: z.object({ changed: z.int() }) }),
  delete: call({ can: 'session', input: Ids, output: z.object({ changed: z.int() }) }),
  /** Those that were chosen in the list, or all that match. */
  readMany: call({ can: 'session', input: bulkOf(criteriaOf(ownFilters)), output: BulkOutcome }),
  deleteChosen: call({ can: 'session', input: bulkOf(criteriaOf(ownFilters)), output: BulkOutcome }),
  deleteMany: call({ can: 'session', input: Which, output: z.object({ changed: z.int() }) }),
  /** To everybody of the scope, to some organisations with all below them, or to named people. */
  send: call({
    can: send,
    input: z
      .strictObject({
        title: z.string().trim().min(1).max(120),
        text: z.string().trim().min(1).max(4000),
        priority: Priority.default('2'),
        recipients: Recipients.default('all'),
        deptIds: z.array(ref('dept')).max(100).default([]),
        userIds: z.array(ref('user')).max(500).default([]),
        channels: z.array(Channel).max(3).default(['centre']),
      })
      .refine((input) => input.recipients !== 'organisation' || input.deptIds.length > 0, {
        path: ['deptIds'],
        message: 'invalid.required',
      })
      .refine((input) => input.recipients !== 'users' || input.userIds.length > 0, { path: ['userIds'], message: 'invalid.required' }),
    output: z.object({ id: Id }),
  }),
  /** What another system tells people, by its token and in the name of that: to accounts, to organisations, or to all of the scope. */
  third: call({
    can: 'message:message:third||message:manager:third',
    input: z
      .strictObject({
        title: z.string().trim().min(1).max(120),
        text: z.string().trim().min(1).max(4000),
        /** Who speaks: the name of the token, and none else. */
        system: z.string().trim().min(1).max(64).optional(),
        priority: Priority.default('2'),
        accounts: z.array(z.string().trim().min(1).max(64)).max(500).default([]),
        deptIds: z.array(ref('dept')).max(100).default([]),
        channels: z.array(Channel).max(3).default(['centre']),
      })
      .refine((input) => input.accounts.length === 0 || input.deptIds.length === 0, { path: ['deptIds'], message: 'invalid.oneAudience' }),
    output: z.object({ id: Id }),
    faults: ['ACCOUNT_UNKNOWN', 'TOKEN_ONLY', 'TOKEN_NAME'],
  }),
  /** What this scope sent, with how far it was read. */
  sent: call({
    can: send,
    reads: true,
    input: pageQuery(sentFilters, ['-createdAt']),
    output: pageOf(
      z.object({
        id: Id,
        title: z.string(),
        text: z.string(),
        priority: Priority,
        recipients: Recipients,
        channels: z.array(Channel),
        sender: z.string().nullable(),
        people: z.int().nullable(),
        read: z.int(),
        createdAt: Moment,
        recalledAt: Moment.nullable(),
        ...allowedActions,
      }),
    ),
  }),
  /** Taken back from everybody who hasn’t read it; the others read that it was. Another system takes back what it said itself. */
  recall: call({
    can: 'message:message:send||message:manager:send||message:message:third||message:manager:third',
    input: ById,
    output: z.object({ unread: z.int() }),
  }),
  exportSent: exporting(send, criteriaOf(sentFilters)),
  /** To whom of the scope one of them went, those who have read it first. */
  readers: call({
    can: send,
    reads: true,
    input: pageQuery(readerFilters, ['-status', 'name']),
    output: pageOf(
      z.object({
        id: Id,
        name: z.string(),
        account: z.string(),
        deptName: z.string(),
        status: stateOf(messageMachine),
        readAt: Moment.nullable(),
      }),
    ),
  }),
  exportReaders: exporting(send, criteriaOf(readerFilters)),
  /** People of the scope, for the picker of recipients. */
  people: call({
    can: send,
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(500).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
});
