import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { useMemo, useState } from 'react';
import { bind } from '../../kit/bind-page.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { LevelValues } from './level-values.tsx';
import { type LevelView, type PlaceOf, placeInput } from './places.ts';

interface Props {
  readonly templateId: number;
  readonly place: PlaceOf;
  readonly onClose: () => void;
}

/** What stands here of fields that the template still has. */
function startOf({ fields, values, secretKeys, locked, revision }: LevelView) {
  const has = (key: string) => fields.some((field) => field.key === key);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([key]) => has(key))),
    secrets: [],
    secretKeys: secretKeys.filter((key) => fields.some((field) => field.key === key && field.type === 'secret')),
    locked: locked.filter(has),
    revision,
  };
}

function LevelForm({ level, templateId, place, onClose }: Props & { level: LevelView }) {
  const t = useT();
  const Control = useMemo(() => bind<{ level: LevelView }, ControlPart<Values | undefined>>(LevelValues, { level }), [level]);
  const gone = level.unfit.filter((key) => !level.fields.some((field) => field.key === key));
  return (
    <FormDialog
      title="paramLevel.of"
      of={level.place.name}
      call={paramLevelCalls.give}
      fields={[{ name: 'values', label: 'paramTemplate.fields', Control, wide: true }]}
      initial={{ templateId, ...placeInput(place), ...startOf(level) }}
      submit="kit.save"
      blocked={!level.maySave}
      about={
        <>
          {level.maySave ? null : <Note>{t('paramLevel.readOnly')}</Note>}
          {gone.length > 0 ? <Note tone="warn">{t('paramLevel.unfitGone', { fields: gone.join(', ') })}</Note> : null}
        </>
      }
      onDone={() => toast('done', t('paramLevel.saved', { name: level.place.name }))}
      onClose={onClose}
    />
  );
}

/** The values of a template at one place. */
export function LevelDialog({ templateId, place, onClose }: Props) {
  const t = useT();
  const level = useCall(paramLevelCalls.read, { templateId, ...placeInput(place) });
  // As it is when it opens: what is typed isn't drawn over when somebody else saves.
  const [opened, setOpened] = useState<LevelView>();
  if (!opened && level.data && !level.fetching) setOpened(level.data);
  if (opened) return <LevelForm level={opened} templateId={templateId} place={place} onClose={onClose} />;
  return (
    <Dialog open title={t('paramLevel.give')} onClose={onClose} width={560}>
      {level.error ? <CallFailed part error={level.error} onRetry={level.retry} /> : <Bone height={160} />}
    </Dialog>
  );
}
