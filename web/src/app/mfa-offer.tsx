import { useState } from 'react';
import { useSession } from '../kit/session.ts';
import { local } from '../kit/storage.ts';
import { go } from '../kit/view.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';

const WEEK_MS = 7 * 86_400_000;

/** A second factor that is recommended may be put off for a week at a time. */
export function MfaOffer({ path }: { path: string }) {
  const t = useT();
  const { user, platform } = useSession();
  const place = `mfa.later.${user?.id ?? 0}`;
  const [put, setPut] = useState(() => Number(local.get(place) ?? 0));
  if (path.endsWith('/accountSetting')) return null;
  if (user?.mfaStatus !== '1' || user.mfaBindStatus === '1' || Date.now() < put) return null;
  const later = () => {
    const until = Date.now() + WEEK_MS;
    local.set(place, String(until));
    setPut(until);
  };
  return (
    <Note
      tone="info"
      action={
        <span className="m-row">
          <Button small onClick={later}>
            {t('shell.mfa.later')}
          </Button>
          <Button small look="primary" onClick={() => go(platform === 'centre' ? '/accountSetting' : '/manager/accountSetting')}>
            {t('shell.mfa.bind')}
          </Button>
        </span>
      }
    >
      {t('shell.mfa')}
    </Note>
  );
}
