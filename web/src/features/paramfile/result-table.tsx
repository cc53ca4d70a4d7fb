import type { OutputOf } from '@mooring/contract/kit/call';
import { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { useT } from '../../ui/words.ts';
import { LevelDialog } from './level-dialog.tsx';
import { type PlaceOf, placeWords, sourceWords } from './places.ts';
import { valueWords } from './value-words.ts';

type Field = OutputOf<typeof paramResultCalls.preview>['fields'][number];

const tones = { same: 'good', differs: 'wait', unknown: 'idle', hidden: 'idle' } as const;
const wordsOf = ({ value, isSet }: Field) => (isSet ? valueWords(value) : '–');

/** What one terminal gets of one template, where each value comes from, and what it has. */
export function ResultTable({ templateId, deviceId }: { templateId: number; deviceId: number }) {
  const t = useT();
  const [place, setPlace] = useState<PlaceOf>();
  const result = useCall(paramResultCalls.preview, { templateId, deviceId }, { every: 15 });
  if (result.error && !result.data) return <CallFailed part error={result.error} onRetry={result.retry} />;
  if (!result.data) return <Bone height={160} />;
  const { fields, missing, isTooLong, places, drift } = result.data;
  const nameOf = (key: string) => fields.find((one) => one.key === key)?.label || key;
  return (
    <div className="m-stack">
      <div>
        <StatusTag tone={tones[drift]}>{t(`paramResult.drift.${drift}`)}</StatusTag>
      </div>
      {missing.length > 0 ? <Note tone="warn">{t('paramResult.missing', { fields: missing.map(nameOf).join(', ') })}</Note> : null}
      {isTooLong ? <Note tone="warn">{t('paramResult.tooLong')}</Note> : null}
      <Table
        label={t('paramResult.title')}
        rows={fields}
        idOf={(field) => field.key}
        nameOf={(field) => field.label || field.key}
        columns={[
          { key: 'field', title: t('paramResult.field'), width: 200, cell: (field) => field.label || field.key },
          { key: 'value', title: t('paramResult.value'), width: 220, cell: wordsOf },
          {
            key: 'from',
            title: t('paramResult.from'),
            width: 300,
            cell: (field) =>
              [sourceWords(field.from), ...(field.lockedBy ? [t('paramLevel.lockedBy', { place: placeWords(field.lockedBy) })] : [])].join(
                ' · ',
              ),
          },
          {
            key: 'reported',
            title: t('paramResult.reported'),
            width: 220,
            cell: (field) => (
              <>
                {field.reported === null ? '' : `${valueWords(field.reported)} · `}
                <StatusTag tone={tones[field.drift]}>{t(`paramResult.drift.${field.drift}`)}</StatusTag>
              </>
            ),
          },
        ]}
      />
      {places.length > 0 ? (
        <div className="m-row m-row-wrap">
          <span className="m-muted">{t('paramLevel.giveFor')}</span>
          {places.map((one) => (
            <Button key={`${one.level} ${one.id}`} small onClick={() => setPlace(one)}>
              {one.name}
            </Button>
          ))}
        </div>
      ) : null}
      {place ? <LevelDialog templateId={templateId} place={place} onClose={() => setPlace(undefined)} /> : null}
    </div>
  );
}
