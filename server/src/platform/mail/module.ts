import type { AppContext } from '../app-context.ts';
import type { Module } from '../module.ts';
import { mailJobs } from './send-mail.ts';
import { type MailSettings, storedSettings } from './settings.ts';

/** Messages to people: kept as rows, sent by jobs. */
export const makeMail = (app: AppContext, settings: MailSettings = storedSettings(app)): Module => ({
  name: 'mail',
  jobs: mailJobs(app, settings),
});
