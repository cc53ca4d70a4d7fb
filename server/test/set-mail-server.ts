import { settingKinds } from '@mooring/contract/settings/kinds';
import { writeSetting } from '../src/platform/settings.ts';
import type { TestApp } from './test-app.ts';

/** Sets a mail server that nobody answers at: mails are queued as they are where one is set. */
export const setMailServer = ({ context, clock }: TestApp) =>
  context.unscoped((db) =>
    writeSetting(db, context.masterKey, 'mail', { ...settingKinds.mail.parse({}), host: 'mail.example.com' }, clock.now),
  );
