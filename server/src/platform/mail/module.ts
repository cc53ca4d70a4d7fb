import type { House } from '../house.ts';
import type { Module } from '../module.ts';
import { mailJobs } from './send-mail.ts';
import { type MailSettings, storedSettings } from './settings.ts';

/** Messages to people: kept as rows, sent by jobs. */
export const makeMail = (house: House, settings: MailSettings = storedSettings(house)): Module => ({
  name: 'mail',
  jobs: mailJobs(house, settings),
});
