import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { PlaceTable } from './place-table.tsx';
import { type PlaceOf, placeInput } from './places.ts';

/** What a merchant or a shop gives for each template, beginning with one that it gives something for. */
export function ParamsOfPlace({ place }: { place: PlaceOf }) {
  const t = useT();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ readonly id: number; readonly name: string }>();
  const found = useCall(paramLevelCalls.ofPlace, { ...placeInput(place), text }, { keep: true });
  if (found.error && !found.data) return <CallFailed part error={found.error} onRetry={found.retry} />;
  if (!found.data) return <Bone height={160} />;
  const listed = found.data.map(({ id, name, given }) => ({
    value: id,
    label: given > 0 ? t('paramLevel.ofPlace', { name, given }) : name,
  }));
  // As it is when it opens: what is given first later doesn't move the choice.
  const [first] = found.data;
  if (!chosen && first) setChosen({ id: first.id, name: first.name });
  if (!chosen)
    return (
      <Empty title={t('paramLevel.noTemplate')} text={t('paramLevel.noTemplateText')} icon="template">
        <WayToMade madeOn={['paramTemplate']} />
      </Empty>
    );
  const isListed = listed.some(({ value }) => value === chosen.id);
  return (
    <div className="m-stack">
      <div className="m-fields">
        <Field label={t('paramResult.template')}>
          <Select
            value={chosen.id}
            onChange={(id) => {
              const next = found.data?.find((one) => one.id === id);
              if (next) setChosen({ id: next.id, name: next.name });
            }}
            onSearch={setText}
            busy={found.fetching}
            options={isListed ? listed : [{ value: chosen.id, label: chosen.name }, ...listed]}
          />
        </Field>
      </div>
      <PlaceTable key={chosen.id} templateId={chosen.id} place={place} />
    </div>
  );
}
