import { useState } from 'react';
import { useTerminals } from '../../kit/choices.ts';
import { Select } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { ResultTable } from './result-table.tsx';
import type { TemplateRow } from './template-actions.ts';
import { TemplateBehind } from './template-behind.tsx';

/** Who is behind, and what any terminal would get of the template. */
export function TemplateTerminals({ row }: { row: TemplateRow }) {
  const t = useT();
  const [text, setText] = useState('');
  const [deviceId, setDeviceId] = useState<number>();
  const { choices, busy } = useTerminals(text, deviceId === undefined ? [] : [deviceId]);
  return (
    <div className="m-stack">
      <TemplateBehind row={row} />
      <h2>{t('paramResult.ofTerminal')}</h2>
      <div className="m-fields">
        <Field label={t('paramResult.terminal')} help={deviceId === undefined ? t('paramResult.choose') : undefined}>
          <Select
            value={deviceId}
            onChange={setDeviceId}
            onSearch={setText}
            busy={busy}
            options={choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }))}
          />
        </Field>
      </div>
      {deviceId === undefined ? null : <ResultTable templateId={row.id} deviceId={deviceId} />}
    </div>
  );
}
