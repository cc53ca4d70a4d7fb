import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { storeKinds } from '@mooring/contract/signing/limits';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { RadioGroup } from '../../ui/controls.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

/** Where the keys of a new store are kept: a token is offered where the server has one. */
export function StoreKind({ value, onChange }: ControlPart<string | undefined>) {
  const t = useT();
  const { data } = useCall(keyStoreCalls.token, {});
  const isSet = data !== undefined && data.reason !== 'unset' && data.state !== 'unset';
  const kinds = storeKinds.filter((kind) => kind === 'software' || isSet);
  return (
    <RadioGroup
      value={value ?? 'software'}
      onChange={onChange}
      options={kinds.map((kind) => ({ value: kind, label: t(`keyStore.kind.${kind}`) }))}
    />
  );
}

/** Whether the token is reached, where this server has one or a store wants it. */
export function TokenState() {
  const t = useT();
  const { data } = useCall(keyStoreCalls.token, {}, { every: 30 });
  if (!data || data.state === 'unset') return null;
  if (data.state === 'there') return <Note tone="info">{t('token.there', { label: data.label })}</Note>;
  return (
    <Note tone="warn">
      {t('token.away')} {data.reason ? t(`token.reason.${data.reason}`) : null}
    </Note>
  );
}
