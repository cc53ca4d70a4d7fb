import { type RegisterKind, registerCalls } from '@mooring/contract/auth/register-calls';
import { useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

export interface Place {
  readonly id: number;
  readonly name: string;
}

interface Props {
  kind: Exclude<RegisterKind, 'one'>;
  place: Place | undefined;
  onPlace: (place: Place | undefined) => void;
  tried: boolean;
}

/** Looks for what is open by name or code, when asked to: looking is counted. */
export function FindPlace({ kind, place, onPlace, tried }: Props) {
  const t = useT();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Place[] | undefined>(place && [place]);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const find = async () => {
    if (busy) return;
    onPlace(undefined);
    setFailure(undefined);
    setFound(undefined);
    if (text.trim().length < 3) return setFailure(t('register.place.help'));
    setBusy(true);
    try {
      const places = await api(registerCalls.find, { kind, text: text.trim() }, { hidden: true });
      setFound(places);
      if (places.length === 1) onPlace(places[0]);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const unchosen = tried && !place ? t('register.place.choose') : undefined;
  const error = failure ?? (found?.length === 0 ? t('register.place.none') : unchosen);
  return (
    <>
      <Field label={t(`register.place.${kind}`)} id="register-place" help={t('register.place.help')} error={error}>
        <span className="m-row">
          <TextInput value={text} onChange={setText} max={64} onEnter={() => void find()} icon="search" />
          <Button onClick={() => void find()} busy={busy}>
            {t('register.find')}
          </Button>
        </span>
      </Field>
      {found && found.length > 0 ? (
        <RadioGroup
          label={t('register.found')}
          value={place?.id ?? 0}
          onChange={(id) => onPlace(found.find((one) => one.id === id))}
          options={found.map((one) => ({ value: one.id, label: one.name }))}
        />
      ) : null}
    </>
  );
}
