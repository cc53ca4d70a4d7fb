import { doorCalls } from '@mooring/contract/auth/calls';
import { useCallback, useState } from 'react';
import { api } from '../../kit/client.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

export interface Captcha {
  readonly picture: { readonly id: string; readonly image: string } | undefined;
  readonly code: string;
  readonly setCode: (code: string) => void;
  /** Another picture; the one before is worthless once it was tried. */
  readonly renew: () => void;
}

export function useCaptcha(): Captcha {
  const [picture, setPicture] = useState<Captcha['picture']>();
  const [code, setCode] = useState('');
  const renew = useCallback(() => {
    setCode('');
    void api(doorCalls.captcha, {}).then(setPicture, () => setPicture(undefined));
  }, []);
  return { picture, code, setCode, renew };
}

export function CaptchaField({ captcha, error }: { captcha: Captcha; error: string | undefined }) {
  const t = useT();
  if (!captcha.picture) return null;
  return (
    <Field label={t('auth.captcha')} id="login-captcha" error={error}>
      <span className="m-row">
        <TextInput value={captcha.code} onChange={captcha.setCode} max={8} />
        <img className="m-captcha" src={captcha.picture.image} alt={t('auth.captcha.alt')} width={120} height={36} />
        <IconButton icon="reload" label={t('auth.captcha.new')} onClick={captcha.renew} />
      </span>
    </Field>
  );
}
