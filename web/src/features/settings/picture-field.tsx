import { kindOf } from '@mooring/contract/file/kinds';
import { useRef, useState } from 'react';
import { pictureUrl } from '../../kit/brand.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useUploads } from '../../kit/upload/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';

// What was chosen in this visit is shown from here: the server shows a picture only once it is saved.
const chosen = new Map<string, string>();

/** Where a picture is to be had, saved or not. */
export const sourceOf = (digest: string): string => chosen.get(digest) ?? pictureUrl(digest);

/** A control that uploads a picture and holds its digest. */
export function PictureField({ value, onChange, disabled }: ControlPart<string | undefined>) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [local, setLocal] = useState<string>();
  const uploads = useUploads('1', (stored) => {
    const last = stored.at(-1);
    if (!last) return;
    if (local) chosen.set(last.sha256, local);
    onChange(last.sha256);
  });
  const row = uploads.rows.at(-1);
  const busy = row?.state === 'uploading' || row?.state === 'wait';
  return (
    <span className="m-row m-row-wrap">
      {value ? <img className="m-picture" src={sourceOf(value)} alt="" /> : <span className="m-muted">{t('settings.picture.none')}</span>}
      <input
        ref={input}
        type="file"
        hidden
        accept={kindOf('1')
          ?.extensions.map((one) => `.${one}`)
          .join(',')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (!file) return;
          setLocal(URL.createObjectURL(file));
          uploads.add([file]);
        }}
      />
      <Button small disabled={disabled || busy} busy={busy} onClick={() => input.current?.click()}>
        {busy ? t('settings.picture.busy') : t(value ? 'settings.picture.change' : 'settings.picture.choose')}
      </Button>
      {value ? (
        <Button small look="quiet" disabled={disabled} onClick={() => onChange('')}>
          {t('settings.branding.remove')}
        </Button>
      ) : null}
      {row?.state === 'fail' ? <span className="m-field-error">{row.message}</span> : null}
    </span>
  );
}
