import { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Select } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ResultTable } from './result-table.tsx';

/** The parameters of a terminal as its templates and all places above it make them. */
export function ParamsOfDevice({ row }: { row: { readonly id: number } }) {
  const t = useT();
  const [chosen, setChosen] = useState<number>();
  const templates = useCall(paramResultCalls.ofDevice, { deviceId: row.id });
  if (templates.error) return <CallFailed part error={templates.error} onRetry={templates.retry} />;
  if (!templates.data) return <Bone height={160} />;
  const templateId = chosen ?? templates.data[0]?.id;
  if (templateId === undefined) return <Empty title={t('paramResult.none')} icon="template" />;
  return (
    <div className="m-stack">
      <div className="m-fields">
        <Field label={t('paramResult.template')}>
          <Select value={templateId} onChange={setChosen} options={templates.data.map((one) => ({ value: one.id, label: one.name }))} />
        </Field>
      </div>
      <ResultTable templateId={templateId} deviceId={row.id} />
    </div>
  );
}
