import type { OutputOf } from '@mooring/contract/kit/call';
import { mailMachine } from '@mooring/contract/mail/state-machines';
import { settingCalls } from '@mooring/contract/settings/calls';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { Link } from '../../kit/link.tsx';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

type Sent = OutputOf<typeof mailCalls.test>;

const channels = {
  email: { call: mailCalls.test, of: 'mail', contact: 'email' },
  sms: { call: mailCalls.testText, of: 'sms', contact: 'mobile' },
} as const;

/** Sends one message by the settings as they are saved, and says what became of it. */
export function TestSend({ channel }: { channel: keyof typeof channels }) {
  const t = useT();
  const now = useSession();
  const sends = useSends(channel);
  // Right after a save it isn't known yet whether there is a way now: the server says so then.
  const { fetching } = useCall(settingCalls.pageSetting, {});
  const [testing, setTesting] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const { call, of, contact } = channels[channel];
  if (!mayCall(call, now)) return null;
  const own = now.user?.[contact];
  return (
    <>
      <span>
        <Button onClick={() => setTesting(true)}>{t(`settings.${of}.test`)}</Button>
      </span>
      {sent ? <Outcome sent={sent} /> : null}
      {testing ? (
        <FormDialog
          title={`settings.${of}.test`}
          call={call}
          submit={`settings.${of}.test`}
          successText={`settings.${of}.test.sent`}
          about={<NoMail channel={channel} instead="settings.test.saveFirst" />}
          blocked={!sends && !fetching}
          fields={[{ name: 'to', label: `settings.${of}.test.to` }]}
          initial={own ? { to: own } : {}}
          onClose={() => setTesting(false)}
          onDone={setSent}
        />
      ) : null}
    </>
  );
}

/** The last one: whether the server took it, or why it didn't. */
function Outcome({ sent }: { sent: Sent }) {
  const t = useT();
  const { recipient, channel } = sent;
  const { data } = useCall(mailCalls.page, { criteria: { recipient, channel }, page: { size: 20 } });
  const row = data?.content.find(({ id }) => id === sent.id) ?? sent;
  return (
    <Note tone={row.error ? 'danger' : 'info'} action={<Link to="/system/settings?tab=outbox">{t('settings.tab.outbox')}</Link>}>
      <bdi>{recipient}</bdi> <StateTag machine={mailMachine} code={row.state} /> {row.error}
    </Note>
  );
}
