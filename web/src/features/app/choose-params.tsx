import { appVersionCalls } from '@mooring/contract/app/calls';
import { useState } from 'react';
import { useReleaseProduct } from '../../engines/rollout/content-fields.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

/** Parameter templates for the products of the chosen version, newest first; the chosen one always, by the name that the release has of it. */
export function ChooseParams({ value, onChange, onBlur, values, set, disabled }: ControlPart<number | null | undefined>) {
  const t = useT();
  const productId = useReleaseProduct();
  const [text, setText] = useState('');
  const found = useCall(appVersionCalls.templates, { id: Number(values.versionId), productId, text }, { keep: true });
  const listed = found.data ?? [];
  const isMissing = typeof value === 'number' && !listed.some((one) => one.id === value);
  const all = [...listed, ...(isMissing ? [{ id: value, name: String(values.templateName), productName: null }] : [])];
  const nothing = <WayToMade madeOn={['paramTemplate']} />;
  return (
    <Select
      value={value ?? undefined}
      label={t('appRelease.params')}
      options={all.map((one) => ({ value: one.id, label: [one.name, one.productName].filter(Boolean).join(' · ') }))}
      onChange={(id) => {
        onChange(id ?? null);
        set('templateName', all.find((one) => one.id === id)?.name ?? '');
        set('templateRevision', null);
      }}
      onBlur={onBlur}
      disabled={disabled}
      onSearch={setText}
      busy={found.fetching}
      nothing={nothing}
      clear
    />
  );
}
