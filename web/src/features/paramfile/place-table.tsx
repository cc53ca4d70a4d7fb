import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { ownValue } from '@mooring/contract/paramfile/resolve';
import { isGiven } from '@mooring/contract/paramfile/template-fields';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { type T, useT } from '../../ui/words.ts';
import { LevelDialog } from './level-dialog.tsx';
import { type LevelView, type PlaceOf, placeInput, placeWords, sourceWords } from './places.ts';
import { type Value, valueWords } from './value-words.ts';

type Field = LevelView['fields'][number];

/** A field as it counts at a place: its own value, or what comes from above, and what stands here without counting. */
function rowOf(t: T, level: LevelView, { key, label, type }: Field) {
  const inherited = level.inherited.find((one) => one.key === key);
  const own = type === 'secret' ? null : (ownValue(level.values, key) as Value | undefined);
  const stands = type === 'secret' ? level.secretKeys.includes(key) : isGiven(own);
  const lock = inherited?.lockedBy ?? null;
  const counts = stands && !lock && !level.unfit.includes(key);
  const above = inherited?.isSet ? valueWords(inherited.value) : '–';
  return {
    key,
    name: label || key,
    value: counts ? valueWords(own ?? null) : above,
    from: counts ? t('paramLevel.from', { place: level.place.name }) : sourceWords(inherited?.from ?? 'none'),
    kept: stands && !counts ? t('paramLevel.notInForce', { value: valueWords(own ?? null) }) : '',
    lock: lock ? t('paramLevel.lockedBy', { place: placeWords(lock) }) : level.locked.includes(key) ? t('paramLevel.lockedHere') : '',
  };
}

/** The values of a template at one place, each with where it comes from and who locked it, and the form that gives them. */
export function PlaceTable({ templateId, place }: { templateId: number; place: PlaceOf }) {
  const t = useT();
  const [editing, setEditing] = useState(false);
  const { data, error, retry } = useCall(paramLevelCalls.read, { templateId, ...placeInput(place) });
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={160} />;
  const isEmpty =
    data.revision === 0 || (Object.keys(data.values).length === 0 && data.secretKeys.length === 0 && data.locked.length === 0);
  const edit = data.maySave ? (
    <Button icon="edit" look="primary" onClick={() => setEditing(true)}>
      {t(isEmpty ? 'paramLevel.give' : 'paramLevel.edit')}
    </Button>
  ) : null;
  return (
    <div className="m-stack">
      {isEmpty ? <Note>{t('paramLevel.nothingHere', { name: data.place.name })}</Note> : null}
      {edit ? <div className="m-row m-row-wrap">{edit}</div> : null}
      <Table
        label={t('paramLevel.title')}
        rows={data.fields.map((field) => rowOf(t, data, field))}
        idOf={(row) => row.key}
        nameOf={(row) => row.name}
        columns={[
          { key: 'field', title: t('paramResult.field'), width: 220, cell: (row) => row.name },
          {
            key: 'value',
            title: t('paramLevel.value'),
            width: 280,
            cell: (row) => (
              <>
                {row.value}
                {row.kept ? <div className="m-muted m-small">{row.kept}</div> : null}
              </>
            ),
          },
          { key: 'from', title: t('paramResult.from'), width: 280, cell: (row) => row.from },
          { key: 'lock', title: t('paramLevel.locks'), width: 280, cell: (row) => (row.lock ? <Tag>{row.lock}</Tag> : '–') },
        ]}
      />
      {editing ? <LevelDialog templateId={templateId} place={place} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}
