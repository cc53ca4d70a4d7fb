import { leavingCalls, mfaCalls } from '@mooring/contract/account/own-calls';
import { useState } from 'react';
import { ChangePassword } from '../../kit/access/change-password.tsx';
import { CallFailed } from '../../kit/dead-end.tsx';
import { page } from '../../kit/page.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { endSession, useSession } from '../../kit/session.ts';
import { reloadUser } from '../../kit/user.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { Card } from './card.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { MfaCard, PasskeysCard } from './mfa-cards.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { OwnTokens } from './token-lists.tsx';

function PasswordCard() {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <Card
      title="account.password"
      text="account.password.text"
      acts={<Button onClick={() => setOpen(true)}>{t('auth.change.submit')}</Button>}
    >
      <Dialog open={open} typed title={t('auth.change.submit')} onClose={() => setOpen(false)}>
        <p className="m-muted m-dialog-lead">{t('auth.change.own')}</p>
        <ChangePassword
          cancel={t('kit.cancel')}
          onCancel={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            void reloadUser();
          }}
        />
      </Dialog>
    </Card>
  );
}

const TokensCard = () => (
  <Card title="token.title" text="token.about">
    <OwnTokens />
  </Card>
);

function LeaveCard() {
  const t = useT();
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const account = user?.account ?? '';
  const cancel = useAct(leavingCalls.cancel, { done: () => endSession() });
  return (
    <Card
      title="account.cancel"
      text="account.cancel.text"
      acts={
        <Button danger onClick={() => setOpen(true)}>
          {t('account.cancel.submit')}
        </Button>
      }
    >
      <Confirm
        open={open}
        danger
        title={t('account.cancel')}
        confirm={t('account.cancel.submit')}
        typeName={account}
        busy={cancel.busy}
        onConfirm={() => cancel.run({ account })}
        onClose={() => setOpen(false)}
      >
        {t('account.cancel.text')}
      </Confirm>
    </Card>
  );
}

function Security() {
  const { data, error, retry } = useCall(mfaCalls.status, {});
  return (
    <div className="m-stack m-account">
      <PasswordCard />
      {error && !data ? <CallFailed part error={error} onRetry={retry} /> : null}
      {data ? <MfaCard status={data} onChanged={retry} /> : error ? null : <PageSkeleton />}
      {data ? <PasskeysCard status={data} onChanged={retry} /> : null}
      <ContactsCard />
      <SessionsCard />
      <TokensCard />
      <LeaveCard />
    </div>
  );
}

export const securityPage = page({ title: 'account.security', Body: Security });
