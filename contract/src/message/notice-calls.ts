import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { exporting } from '../kit/export.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { ById, Id, Moment, ref } from '../kit/schema.ts';
import { stateOf, transitionOf } from '../kit/state-machine.ts';
import { Priority } from './calls.ts';
import { messageMachine, noticeMachine } from './state-machines.ts';

export const MOST_ATTACHMENTS = 10;
/** Recipients are counted up to here. */
export const MOST_COUNTED = 10_000;
const audiences = ['all', 'organisation', 'roles', 'users'] as const;
const noticeChannels = ['popup', 'email'] as const;

const Attachment = z.object({ id: Id, name: z.string(), size: z.number() });

/** What an organisation announces to its people: a text with files, for a time. */
export const Notice = entity(
  'notice',
  {
    title: field(z.string().trim().min(1).max(120), { sort: true }),
    body: field(z.string().trim().min(1).max(20_000), { help: true }),
    state: state(noticeMachine, { filter: true }),
    priority: field(Priority.default('2'), { filter: true, names: 'message.priority.', help: true }),
    recipients: field(z.enum(audiences).default('all')),
    deptIds: field(z.array(ref('dept')).max(100).default([])),
    roleIds: field(z.array(ref('role')).max(50).default([])),
    userIds: field(z.array(ref('user')).max(500).default([])),
    channels: field(z.array(z.enum(noticeChannels)).max(2).default([])),
    startsAt: field(Moment.nullable().default(null), { sort: true, help: true }),
    endsAt: field(Moment.nullable().default(null), { help: true }),
    files: field(z.array(Id).max(MOST_ATTACHMENTS).default([]), { help: true }),
    attachments: joined(z.array(Attachment), { text: 'notice.files' }),
    people: read(z.int().nullable()),
    readCount: read(z.int()),
    publishedAt: read(Moment.nullable(), { sort: true }),
    /** Last, those who hadn't read it. */
    remindedAt: read(Moment.nullable()),
    deptName: joined(z.string(), { text: 'message.dept' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['title', 'body'] }, title: 'notice.many' },
);

const can = <A extends string>(act: A) => `notice:notice:${act}` as const;
const publishing = can('publish');
const ownFilters = { text: filter.text(), status: filter.exact(stateOf(messageMachine)), priority: filter.exact(Priority) };
const readerFilters = { noticeId: Id, status: filter.exact(stateOf(messageMachine)) };

/** As one person has it. */
const OwnNotice = z.object({
  id: Id,
  title: z.string(),
  /** The beginning of its words. */
  text: z.string(),
  priority: Priority,
  status: stateOf(messageMachine),
  sender: z.string(),
  attachments: z.int(),
  publishedAt: Moment,
  endsAt: Moment.nullable(),
});

/** Notices: made on the manager platform, read by whom they are addressed to. */
export const noticeCalls = calls('message', '/notice', {
  ...crud(
    Notice,
    { see: can('page'), add: can('add'), update: can('update'), delete: can('delete') },
    {
      faults: {
        add: ['FILE_KIND_REFUSED'],
        update: ['FILE_KIND_REFUSED', 'NOTICE_FIXED'],
        delete: ['NOTICE_FIXED'],
      },
    },
  ),
  ...moves(Notice, { cancel: publishing, recall: publishing }),
  publish: transitionOf(noticeMachine, 'publish', 'notice', publishing, Notice.row, ['NOTICE_OVER']),
  schedule: transitionOf(noticeMachine, 'schedule', 'notice', publishing, Notice.row, ['NOTICE_NO_TIME', 'NOTICE_OVER']),
  /** Whoever hasn't read it is shown it again, and mailed where it was sent by mail; once a day at most. */
  remind: call({
    can: publishing,
    input: ById,
    output: Notice.row,
    faults: ['NOTICE_NOT_OUT', 'NOTICE_ALL_READ', 'NOTICE_REMINDED'],
  }),
  /** How many it would go to now; more than `MOST_COUNTED` are told as so many and one. */
  reach: call({ can: publishing, reads: true, input: ById, output: z.object({ people: z.int() }) }),
  /** To whom it went, and who has read it. */
  readers: call({
    can: can('page'),
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
  exportReaders: exporting(can('page'), criteriaOf(readerFilters)),
  /** People of the scope, for the picker of recipients. */
  people: call({
    can: can('page'),
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(500).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
  /** Of a list whose rows are each person's own, `id` is the one in their list. */
  mine: call({
    can: 'session',
    reads: true,
    input: pageQuery(ownFilters, ['-publishedAt']),
    output: pageOf(OwnNotice),
  }),
  exportMine: exporting('session', criteriaOf(ownFilters)),
  /** What there is to read; it stays unread until `read`. */
  own: call({
    can: 'session',
    reads: true,
    input: ById,
    output: OwnNotice.extend({ body: z.string(), files: z.array(Attachment) }),
  }),
  read: call({ can: 'session', input: ById }),
  readAll: call({ can: 'session', output: z.object({ changed: z.int() }) }),
  /** The token that opens one of its files. */
  attachment: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ id: Id, fileId: Id }),
    output: z.object({ token: z.string(), url: z.string(), expiresIn: z.int() }),
  }),
});
