import { mailMachine } from '@mooring/contract/mail/state-machines';
import { mailCalls, type OutMail } from '@mooring/contract/settings/mail-calls';
import type { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { pageMails } from './out-mails.ts';

/** What went to whom, without its words: those stay where they are masked. */
export const outboxExporter = (app: AppContext) =>
  listExporter<z.input<typeof OutMail>>(mailCalls.export, {
    title: 'settings.tab.outbox',
    sort: 'createdAt',
    page: pageMails(app),
    columns: {
      recipient: { title: 'settings.out.recipient', cell: (row) => row.recipient },
      subject: { title: 'settings.out.subject', cell: (row) => row.subject },
      state: { title: 'settings.out.state', cell: (row, lang) => t(lang, `life.mail.${mailMachine.byCode[row.state]}`) },
      channel: { title: 'settings.out.channel', cell: (row, lang) => t(lang, `settings.out.channel.${row.channel}`) },
      attempts: { title: 'settings.out.attempts', cell: (row) => row.attempts },
      error: { title: 'settings.out.error', cell: (row) => row.error },
      createdAt: { title: 'settings.out.createdAt', cell: (row) => momentCell(row.createdAt) },
      sentAt: { title: 'settings.out.sentAt', cell: (row) => momentCell(row.sentAt) },
    },
  });
