import { mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { type FormEvent, useState } from 'react';
import { BindTotp, RecoveryCodes } from '../../kit/access/bind-totp.tsx';
import { makePasskey, mayUsePasskeys } from '../../kit/access/passkey.ts';
import { api, messageOf } from '../../kit/client.ts';
import { useAct } from '../../kit/queries.ts';
import { reloadUser } from '../../kit/user.ts';
import { Button } from '../../ui/button.tsx';
import { Switch, TextInput } from '../../ui/controls.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Card, Line } from './card.tsx';

type Status = OutputOf<typeof mfaCalls.status>;
type Open = 'bind' | 'unbind' | 'recovery';

export function MfaCard({ status, onChanged }: { status: Status; onChanged: () => void }) {
  const t = useT();
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = () => {
    onChanged();
    void reloadUser();
  };
  const done = (said: Parameters<typeof t>[0] | undefined) => {
    setOpen(undefined);
    if (said) toast('done', t(said));
    changed();
  };
  const unbind = useAct(mfaCalls.unbind, { done: () => done('account.totp.unbound') });
  const renew = useAct(mfaCalls.newRecovery, {
    done: ({ recovery }) => {
      setOpen(undefined);
      setCodes(recovery);
    },
  });
  const ask = useAct(mfaCalls.modifyStatus, { done: changed });
  const bound = status.methods.length > 0;
  return (
    <Card title="account.mfa" text={status.policy === 'required' ? 'account.mfa.required' : 'account.mfa.text'}>
      <ul className="m-plain-list">
        <Line name={t('account.totp')} value={t(status.totp ? 'account.totp.on' : 'account.totp.off')}>
          <Button
            small
            of={t('account.totp')}
            look={status.totp ? 'default' : 'primary'}
            onClick={() => setOpen(status.totp ? 'unbind' : 'bind')}
          >
            {t(status.totp ? 'account.totp.unbind' : 'account.totp.bind')}
          </Button>
        </Line>
        {bound ? (
          <Line name={t('account.recovery')} value={t('account.recovery.left', { count: status.recoveryLeft })}>
            <Button small of={t('account.recovery')} onClick={() => setOpen('recovery')}>
              {t('account.recovery.new')}
            </Button>
          </Line>
        ) : null}
        {bound && status.policy !== 'required' ? (
          <Line name={t('account.mfa.ask')} value={t(status.on ? 'kit.yes' : 'kit.no')}>
            <Switch label={t('account.mfa.ask')} value={status.on} disabled={ask.busy} onChange={(on) => ask.run({ on })} />
          </Line>
        ) : null}
      </ul>
      <Dialog open={open === 'bind'} typed title={t('account.totp.title')} onClose={() => setOpen(undefined)}>
        <BindTotp cancel={t('kit.cancel')} onCancel={() => setOpen(undefined)} onDone={() => done('account.totp.bound')} />
      </Dialog>
      <Dialog open={codes !== undefined} firm title={t('account.recovery')} onClose={() => setCodes(undefined)}>
        <RecoveryCodes
          codes={codes ?? []}
          onDone={() => {
            setCodes(undefined);
            changed();
          }}
        />
      </Dialog>
      <Confirm
        open={open === 'unbind'}
        danger
        title={t('kit.act.sure', { act: t('account.totp.unbind'), name: t('account.totp') })}
        confirm={t('account.totp.unbind')}
        busy={unbind.busy}
        onConfirm={() => unbind.run({})}
        onClose={() => setOpen(undefined)}
      >
        {t('account.totp.unbindText')}
      </Confirm>
      <Confirm
        open={open === 'recovery'}
        title={t('account.recovery.new')}
        confirm={t('account.recovery.new')}
        busy={renew.busy}
        onConfirm={() => renew.run({})}
        onClose={() => setOpen(undefined)}
      >
        {t('account.recovery.newText')}
      </Confirm>
    </Card>
  );
}

export function PasskeysCard({ status, onChanged }: { status: Status; onChanged: () => void }) {
  const t = useT();
  const format = useFormat();
  const [naming, setNaming] = useState(false);
  const changed = () => {
    onChanged();
    void reloadUser();
  };
  const [asked, setAsked] = useState<{ id: number; name: string }>();
  const remove = useAct(passkeyCalls.delete, {
    successText: { key: 'done.removed', params: { name: asked?.name ?? '' } },
    done: () => {
      setAsked(undefined);
      changed();
    },
  });
  const may = mayUsePasskeys();
  return (
    <Card
      title="account.passkeys"
      text="account.passkeys.text"
      acts={
        <Button icon="add" disabled={!may} onClick={() => setNaming(true)}>
          {t('account.passkeys.add')}
        </Button>
      }
    >
      {may ? null : <Note tone="info">{t('auth.passkey.absent')}</Note>}
      {status.passkeys.length === 0 ? (
        <p className="m-muted">{t('account.passkeys.none')}</p>
      ) : (
        <ul className="m-plain-list">
          {status.passkeys.map((key) => (
            <Line
              key={key.id}
              name={key.name}
              value={[
                t('account.passkeys.made', { at: format.moment(key.createdAt) }),
                key.usedAt ? t('account.passkeys.used', { at: format.ago(key.usedAt) }) : undefined,
              ]
                .filter(Boolean)
                .join(' · ')}
            >
              <Button small danger of={key.name} onClick={() => setAsked(key)}>
                {t('account.passkeys.delete')}
              </Button>
            </Line>
          ))}
        </ul>
      )}
      <Confirm
        open={asked !== undefined}
        danger
        title={t('kit.act.sure', { act: t('account.passkeys.delete'), name: asked?.name ?? '' })}
        confirm={t('account.passkeys.delete')}
        busy={remove.busy}
        onConfirm={() => remove.run({ id: asked?.id ?? 0 })}
        onClose={() => setAsked(undefined)}
      >
        {t('account.passkeys.deleteText')}
      </Confirm>
      {naming ? (
        <AddPasskey
          onClose={() => setNaming(false)}
          onDone={() => {
            setNaming(false);
            toast('done', t('account.passkeys.added'));
            changed();
          }}
        />
      ) : null}
    </Card>
  );
}

function AddPasskey({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const t = useT();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || name.trim() === '') return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { ticket, options } = await api(passkeyCalls.options, {}, { hidden: true });
      await api(passkeyCalls.add, { ticket, credential: await makePasskey(options), name: name.trim() }, { hidden: true });
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open typed title={t('account.passkeys.add')} onClose={onClose} busy={busy}>
      <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
        {failure ? <Note tone="danger">{failure}</Note> : null}
        <Field label={t('account.passkeys.name')} id="passkey-name">
          <TextInput value={name} onChange={setName} max={64} autoFocus />
        </Field>
        <div className="m-form-foot">
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" submit busy={busy} disabled={name.trim() === ''}>
            {t('account.passkeys.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
