import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { useEffect, useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { useOwnError } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

/** Nothing of another template's values stays. */
const anew = { templateRevision: null, values: {}, secrets: [], kept: null, secretKeys: [], fields: [] };

/** Templates, newest first, and the chosen one; its name goes along for those who look at the release before it is saved. */
export function ChooseTemplate({ value, onChange, onBlur, values, set, fill, disabled }: ControlPart<number | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const found = useCall(paramTemplateCalls.page, { criteria: text ? { text } : {}, page: { size: 50 } }, { keep: true });
  const listed = found.data?.content ?? [];
  const isMissing = value !== undefined && found.data !== undefined && !listed.some((one) => one.id === value);
  const own = useCall(paramTemplateCalls.detail, { id: value ?? 0 }, { enabled: isMissing });
  const all = [...listed, ...(isMissing && own.data ? [own.data] : [])];
  const name = all.find((one) => one.id === value)?.name;
  // One that the address brings has no name yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fill` is another one each time
  useEffect(() => {
    if (name !== undefined && !values.templateName) fill('templateName', name);
  }, [name, values.templateName]);
  // The review says which one it is, and draws no control that would ask.
  useOwnError(value !== undefined && !values.templateName ? t('kit.loading') : undefined);
  const nothing = <WayToMade madeOn={['paramTemplate']} />;
  return (
    <>
      <Select
        value={value}
        options={all.map((one) => ({ value: one.id, label: [one.name, one.productName].filter(Boolean).join(' · ') }))}
        onChange={(id) => {
          if (id === value) return;
          onChange(id);
          set('templateName', all.find((one) => one.id === id)?.name ?? '');
          for (const [name, empty] of Object.entries(anew)) set(name, empty);
        }}
        onBlur={onBlur}
        disabled={disabled}
        onSearch={setText}
        busy={found.fetching}
        nothing={nothing}
      />
      {found.data && all.length === 0 && text === '' ? nothing : null}
    </>
  );
}
