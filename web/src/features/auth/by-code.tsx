import { loginCalls } from '@mooring/contract/auth/calls';
import { api } from '../../kit/client.ts';
import { useT } from '../../ui/words.ts';
import type { WayProps } from './by-password.tsx';
import { EnterCode } from './enter-code.tsx';
import { useMailedStep } from './mailed-step.ts';
import { PlatformField } from './platform-field.tsx';
import { SendCode } from './send-code.tsx';

export function ByCode({ platform, onPlatform, onAnswer }: WayProps) {
  const t = useT();
  const { email, setEmail, wait, sent, over } = useMailedStep('login');
  if (wait === undefined) return <SendCode purpose="login" email={email} onEmail={setEmail} onSent={sent} />;
  return (
    <EnterCode
      wait={wait}
      submit={t('auth.submit')}
      onAgain={over}
      onCode={async (code) => {
        const answer = await api(loginCalls.msg, { email: email.trim(), code, platform });
        over();
        await onAnswer(answer);
      }}
    >
      <PlatformField value={platform} onChange={onPlatform} />
    </EnterCode>
  );
}
