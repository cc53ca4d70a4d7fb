import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { answerPasskey } from '../../kit/access/passkey.ts';
import { SecondFactor } from '../../kit/access/second-factor.tsx';
import { api } from '../../kit/client.ts';
import { useT } from '../../ui/words.ts';

type Answer = OutputOf<typeof loginCalls.account>;

/** After the password: a code or a passkey, with the ticket that the password gave. */
export function SecondStep({
  mfa,
  onAnswer,
  onBack,
}: {
  mfa: NonNullable<Answer['mfa']>;
  onAnswer: (answer: Answer) => Promise<void> | void;
  onBack: () => void;
}) {
  const t = useT();
  return (
    <>
      <h1>{t('auth.mfa.title')}</h1>
      <SecondFactor
        methods={mfa.methods}
        cancel={t('auth.toLogin')}
        submit={t('auth.submit')}
        onCancel={onBack}
        onCode={async (method, code) =>
          onAnswer(await api(signInCalls.validateLogin, { ticket: mfa.ticket, method, code }, { hidden: true }))
        }
        onPasskey={async () => {
          const { ticket, options } = await api(loginCalls.mfaPasskeyOptions, { ticket: mfa.ticket });
          const credential = await answerPasskey(options);
          await onAnswer(
            await api(
              signInCalls.validateLogin,
              { ticket: mfa.ticket, method: 'passkey', credential, passkeyTicket: ticket },
              { hidden: true },
            ),
          );
        }}
      />
    </>
  );
}
