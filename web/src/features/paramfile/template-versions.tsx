import type { OutputOf } from '@mooring/contract/kit/call';
import { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type T, useFormat, useT } from '../../ui/words.ts';
import type { TemplateRow } from './template-actions.ts';
import { type Value, valueWords } from './value-words.ts';

type Change = OutputOf<typeof paramResultCalls.difference>[number];
type PartValue = Change['parts'][number]['before'];

function partWords(t: T, part: string, value: PartValue): string {
  if (value === null || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ');
  return part === 'type' ? t(`paramField.type.${value as 'text'}`) : valueWords(value as Value);
}
const changeWords = (t: T, { change, parts }: Change): string =>
  change === 'changed'
    ? parts
        .map(({ part, before, after }) =>
          t('paramVersion.part', {
            part: t(`paramField.${part as 'label'}`),
            before: partWords(t, part, before),
            after: partWords(t, part, after),
          }),
        )
        .join(' · ')
    : t(`paramVersion.${change}`);

/** What a save of the fields changed against the one before it. */
function Difference({ templateId, from, to, onClose }: { templateId: number; from: number; to: number; onClose: () => void }) {
  const t = useT();
  const found = useCall(paramResultCalls.difference, { templateId, from, to });
  return (
    <Dialog
      open
      title={t('paramVersion.difference', { from, to })}
      width={760}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('kit.close')}</Button>}
    >
      {found.error ? <CallFailed part error={found.error} onRetry={found.retry} /> : null}
      {found.data?.length === 0 ? <p>{t('paramVersion.order')}</p> : null}
      {found.data && found.data.length > 0 ? (
        <Table
          label={t('paramVersion.difference', { from, to })}
          rows={found.data}
          idOf={(change) => change.key}
          nameOf={(change) => change.key}
          columns={[
            { key: 'key', title: t('paramField.key'), width: 180, cell: (change) => <span className="m-mono">{change.key}</span> },
            { key: 'change', title: t('paramVersion.change'), width: 460, cell: (change) => changeWords(t, change) },
          ]}
        />
      ) : null}
      {!found.data && !found.error ? <Bone height={80} /> : null}
    </Dialog>
  );
}

/** Each save of the template's fields: by whom, when, and what it changed. */
export function TemplateVersions({ row }: { row: TemplateRow }) {
  const t = useT();
  const format = useFormat();
  const [open, setOpen] = useState<{ from: number; to: number }>();
  const found = useCall(paramResultCalls.versions, { templateId: row.id });
  if (found.error && !found.data) return <CallFailed part error={found.error} onRetry={found.retry} />;
  if (!found.data) return <Bone height={120} />;
  const versions = found.data.map((one, at, all) => ({ ...one, before: all[at + 1]?.no }));
  return (
    <>
      <Table
        label={t('paramVersion.title')}
        rows={versions}
        idOf={(one) => one.no}
        nameOf={(one) => String(one.no)}
        columns={[
          { key: 'no', title: t('paramVersion.no'), width: 110, cell: (one) => format.number(one.no) },
          { key: 'fields', title: t('paramTemplate.fieldCount'), width: 130, cell: (one) => format.number(one.fieldCount) },
          { key: 'by', title: t('paramVersion.by'), width: 200, cell: (one) => one.createdBy },
          { key: 'at', title: t('paramVersion.at'), width: 200, cell: (one) => format.moment(String(one.createdAt)) },
          {
            key: 'difference',
            title: t('paramVersion.change'),
            width: 220,
            cell: ({ no, before }) =>
              before === undefined ? (
                '–'
              ) : (
                <Button small onClick={() => setOpen({ from: before, to: no })} of={String(no)}>
                  {t('paramVersion.show')}
                </Button>
              ),
          },
        ]}
      />
      {open ? <Difference templateId={row.id} {...open} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
