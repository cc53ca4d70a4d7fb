import { contactCalls } from '@mooring/contract/account/own-calls';
import { CODE_DIGITS_MOST } from '@mooring/contract/shared/one-time-code';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { isCallError } from '../../kit/outcome.ts';
import { useSession } from '../../kit/session.ts';
import { reloadUser } from '../../kit/user.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { Card, Line } from './card.tsx';

type Kind = 'email' | 'mobile';

export function ContactsCard() {
  const t = useT();
  const { user } = useSession();
  const [binding, setBinding] = useState<Kind>();
  const remove = () =>
    void api(contactCalls.unbindMobile, {})
      .then(reloadUser)
      .catch(() => {});
  return (
    <Card title="account.contacts">
      <ul className="m-plain-list">
        {(['email', 'mobile'] as const).map((kind) => (
          <Line key={kind} name={t(`account.${kind}`)} value={user?.[kind] ?? t('account.none')}>
            {kind === 'mobile' && user?.mobile ? (
              <Button small look="quiet" of={t('account.mobile')} onClick={remove}>
                {t('account.contact.remove')}
              </Button>
            ) : null}
            <Button small of={t(`account.${kind}`)} onClick={() => setBinding(kind)}>
              {t(user?.[kind] ? 'account.contact.change' : 'account.contact.bind')}
            </Button>
          </Line>
        ))}
      </ul>
      {binding ? <BindDialog kind={binding} onClose={() => setBinding(undefined)} /> : null}
    </Card>
  );
}

/** First the address, then the code that arrived there. */
function BindDialog({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const t = useT();
  const channel = kind === 'email' ? 'email' : 'sms';
  const sends = useSends(channel);
  const [to, setTo] = useState('');
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<{ field: string; text: string }>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      if (!sent) {
        await api(contactCalls.sendCode, { kind, to: to.trim() } as never, { hidden: true });
        setSent(true);
      } else {
        await api(
          kind === 'email' ? contactCalls.bindEmail : contactCalls.bindMobile,
          { to: to.trim(), code: code.trim() },
          { hidden: true },
        );
        await reloadUser();
        toast('done', t('account.saved'));
        onClose();
      }
    } catch (error) {
      const fields = isCallError(error) ? error.fields : {};
      const field = fields.code ? 'code' : fields.to ? 'to' : sent ? 'code' : 'to';
      setFailure({ field, text: fields[field]?.message ?? messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const back = () => {
    setSent(false);
    setCode('');
    setFailure(undefined);
  };
  const errorOf = (field: string) => (failure?.field === field ? failure.text : undefined);
  return (
    <Dialog open typed title={t(`account.contact.${kind}`)} onClose={onClose} busy={busy}>
      <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
        {sent ? null : <NoMail channel={channel} />}
        {sent ? <Note tone="info">{t('account.contact.sent', { to: to.trim() })}</Note> : null}
        {sent ? (
          <Field key="code" label={t('account.contact.code')} error={errorOf('code')} id="contact-code">
            <TextInput
              value={code}
              onChange={setCode}
              mono
              max={CODE_DIGITS_MOST}
              autoFocus
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          </Field>
        ) : (
          <Field key="to" label={t(`account.contact.${kind}`)} error={errorOf('to')} id="contact-to">
            <TextInput
              value={to}
              onChange={setTo}
              autoFocus
              max={254}
              inputMode={kind === 'email' ? 'email' : 'tel'}
              autoComplete={kind === 'email' ? 'email' : 'tel'}
              {...(kind === 'mobile' ? { placeholder: '+' } : {})}
            />
          </Field>
        )}
        {sent ? (
          <Button look="quiet" block onClick={back}>
            {t(`auth.code.other.${kind}`)}
          </Button>
        ) : null}
        <div className="m-form-foot">
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" submit busy={busy} disabled={sent ? code.trim() === '' : to.trim() === '' || !sends}>
            {t(sent ? 'account.contact.bind' : 'account.contact.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
