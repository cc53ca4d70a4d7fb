import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { deliverJob, forgetMessages } from './deliver.ts';
import { makeNotices } from './notice.resource.ts';
import { noticeClock, noticeJob, noticeJoiners } from './notice-deliver.ts';
import { withdrawJob } from './notify.ts';
import {
  countMessages,
  deleteChosen,
  deleteMany,
  deleteMessages,
  notePopped,
  notePoppedNotice,
  ownExporter,
  pageMessages,
  readAll,
  readMany,
  readMessage,
  readMessages,
} from './own-messages.ts';
import { ownNoticeExporter } from './own-notices.ts';
import { forgetNotices } from './put-away.ts';
import { noticeReaderExporter, pageReaders, readerExporter } from './readers.ts';
import { recall } from './recall.ts';
import { pageSent, sendMessage, sentExporter } from './send-message.ts';
import { sendThird } from './third.ts';

export const makeMessage = (app: AppContext): Module => ({
  name: 'message',
  resources: [makeNotices(app)],
  exporters: [ownExporter, ownNoticeExporter, readerExporter, sentExporter, noticeReaderExporter],
  jobs: [deliverJob(app), withdrawJob, forgetMessages, noticeJob(app), noticeClock(app), noticeJoiners(app), forgetNotices],
  fileOwners: [
    {
      table: 'message_notice_file',
      column: 'file_id',
      can: 'notice:notice:page',
      use: {
        what: 'notice',
        name: sql`(select n.title from message_notice n where n.id = message_notice_file.notice_id)`,
        at: { path: '/notice?row=', id: sql`message_notice_file.notice_id` },
      },
    },
  ],
  routes: handlers(messageCalls, {
    page: pageMessages,
    export: (ctx, input) => startExport(ctx, ownExporter, input),
    detail: readMessage,
    count: countMessages,
    popped: notePopped,
    poppedNotices: notePoppedNotice,
    read: readMessages,
    readAll,
    delete: deleteMessages,
    readMany,
    deleteChosen,
    deleteMany,
    send: sendMessage,
    third: sendThird,
    sent: pageSent,
    recall,
    exportSent: (ctx, input) => startExport(ctx, sentExporter, input),
    readers: pageReaders,
    exportReaders: (ctx, input) => startExport(ctx, readerExporter, input),
    people: (ctx, input) => findPeople(ctx, { ...input, enabled: true }),
  }),
});
