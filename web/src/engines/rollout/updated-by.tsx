import type { TaskScope } from '@mooring/contract/engines/rollout/schemas';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { useKind } from './kind-context.tsx';

type By = NonNullable<Extract<TaskScope, { releaseScope: '1' }>['updatedBy']>;

/** "Terminals that Winter update updated in ring 2". */
export function UpdatedBy({ by: { taskId, ring, had, sn } }: { by: By }) {
  const t = useT();
  const { data } = useCall(useKind().calls.tasks.detail, { id: taskId });
  const release = data?.name ?? '…';
  const some = ring === null ? t('firmware.task.updatedByAll', { release }) : t('firmware.task.updatedByRing', { release, ring });
  const whose = sn === undefined ? some : t('firmware.task.updatedByOne', { sn, release });
  return had === undefined ? whose : `${whose} · ${t('firmware.task.updatedByHad')}`;
}

/** As the way back of a release asked for it; it can only be given up. */
export function UpdatedByControl({ value, onChange }: ControlPart<By | null | undefined>) {
  const t = useT();
  if (!value) return null;
  return (
    <div className="m-row m-row-wrap">
      <span className="m-grow">
        <UpdatedBy by={value} />
      </span>
      <Button small onClick={() => onChange(null)}>
        {t('firmware.task.updatedByOff')}
      </Button>
    </div>
  );
}
