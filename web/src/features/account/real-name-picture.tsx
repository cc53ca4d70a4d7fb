import { realNameCalls } from '@mooring/contract/account/real-name-calls';
import { useRef, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';

const LONGEST = 1600;

/** A photo as the server takes it: small enough for a call, and still to be read. */
async function readable(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.82);
}

/** Chooses a picture of a document; it is sealed on the server, and the form holds its number. */
export function DocumentPicture({ value, onChange, disabled }: ControlPart<number | undefined>) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const take = async (file: File) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const picture = await readable(file).catch(() => undefined);
      if (!picture) return setFailure(t('realName.picture.broken'));
      const { id } = await api(realNameCalls.addPicture, { image: picture.split(',')[1] ?? '' }, { hidden: true });
      setShown(picture);
      onChange(id);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="m-stack-tight">
      {shown && value ? <img className="m-document" src={shown} alt="" /> : null}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
      <span>
        <Button disabled={disabled || busy} busy={busy} onClick={() => input.current?.click()}>
          {t(value ? 'realName.picture.change' : 'realName.picture.choose')}
        </Button>
      </span>
      {failure ? <span className="m-field-error">{failure}</span> : null}
    </span>
  );
}
