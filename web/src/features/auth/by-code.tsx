import { loginCalls } from '@mooring/contract/auth/calls';
import { useState } from 'react';
import { api } from '../../kit/client.ts';
import { useT } from '../../ui/words.ts';
import type { WayProps } from './by-password.tsx';
import { EnterCode } from './enter-code.tsx';
import { PlatformField } from './platform-field.tsx';
import { SendCode } from './send-code.tsx';

export function ByCode({ platform, onPlatform, onAnswer }: WayProps) {
  const t = useT();
  const [email, setEmail] = useState('');
  const [wait, setWait] = useState<number>();
  if (wait === undefined) return <SendCode purpose="login" email={email} onEmail={setEmail} onSent={setWait} />;
  return (
    <EnterCode
      wait={wait}
      submit={t('auth.submit')}
      onAgain={() => setWait(undefined)}
      onCode={async (code) => onAnswer(await api(loginCalls.msg, { email: email.trim(), code, platform }))}
    >
      <PlatformField value={platform} onChange={onPlatform} />
    </EnterCode>
  );
}
