import { messageCalls } from '@mooring/contract/message/calls';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { deliverJob, forgetMessages } from './deliver.ts';
import { countMessages, deleteMany, deleteMessages, notePopped, pageMessages, readAll, readMessage, readMessages } from './own-messages.ts';
import { pageReaders, readerExporter } from './page-readers.ts';
import { pageSent, sendMessage, sentExporter } from './send-message.ts';

export const makeMessage = (app: AppContext): Module => ({
  name: 'message',
  exporters: [readerExporter, sentExporter],
  jobs: [deliverJob(app), forgetMessages],
  routes: handlers(messageCalls, {
    page: pageMessages,
    detail: readMessage,
    count: countMessages,
    popped: notePopped,
    read: readMessages,
    readAll,
    delete: deleteMessages,
    deleteMany,
    send: sendMessage,
    sent: pageSent,
    exportSent: (ctx, input) => startExport(ctx, sentExporter, input),
    readers: pageReaders,
    exportReaders: (ctx, input) => startExport(ctx, readerExporter, input),
    people: (ctx, input) => findPeople(ctx, { ...input, enabled: true }),
  }),
});
