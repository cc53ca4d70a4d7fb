import { settingCalls } from '@mooring/contract/settings/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { Note } from '../ui/states.tsx';
import { type TextKey, useT } from '../ui/words.ts';
import { Link } from './link.tsx';
import { useCall } from './queries.ts';
import { mayCall } from './session.ts';

/** Whether what is mailed, or sent to a telephone, leaves at all. True until it is known: most installations send. */
export function useSends(channel: 'email' | 'sms' = 'email'): boolean {
  const { data } = useCall(settingCalls.pageSetting, {});
  return data?.sends?.[channel] ?? true;
}

/** Where something would be sent and can't be: what to do instead, and for whom it is in reach the way to change it. */
export function NoMail({ channel = 'email', instead }: { channel?: 'email' | 'sms'; instead?: TextKey }) {
  const t = useT();
  if (useSends(channel)) return null;
  const isMail = channel === 'email';
  return (
    <Note tone="warn">
      <p>{t(isMail ? 'settings.mail.unset' : 'settings.sms.unset')}</p>
      {instead ? <p>{t(instead)}</p> : null}
      {mayCall(systemSettingCalls.mail) ? (
        <Link to={`/system/settings?tab=${isMail ? 'mail' : 'sms'}`}>{t(isMail ? 'settings.mail.unset.set' : 'settings.tab.sms')}</Link>
      ) : isMail ? (
        <p>{t('settings.mail.unset.ask')}</p>
      ) : null}
    </Note>
  );
}
