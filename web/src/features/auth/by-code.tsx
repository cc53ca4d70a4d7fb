import { loginCalls } from '@mooring/contract/auth/calls';
import { api } from '../../kit/client.ts';
import { useT } from '../../ui/words.ts';
import type { WayProps } from './by-password.tsx';
import { EnterCode } from './enter-code.tsx';
import type { Takes } from './mail-form.tsx';
import { useMailedStep } from './mailed-step.ts';
import { PlatformField } from './platform-field.tsx';
import { SendCode } from './send-code.tsx';

export function ByCode({ platform, onPlatform, onAnswer, takes }: WayProps & { readonly takes: Takes }) {
  const t = useT();
  const { to, setTo, ticket, wait, sent, over } = useMailedStep('login');
  if (wait === undefined) return <SendCode purpose="login" to={to} onTo={setTo} takes={takes} onSent={sent} />;
  return (
    <EnterCode
      to={to.trim()}
      takes={takes}
      wait={wait}
      submit={t('auth.submit')}
      onBack={over}
      onCode={async (code) => {
        const answer = await api(loginCalls.msg, { to: to.trim(), code, ticket, platform });
        over();
        await onAnswer(answer);
      }}
    >
      <PlatformField value={platform} onChange={onPlatform} />
    </EnterCode>
  );
}
