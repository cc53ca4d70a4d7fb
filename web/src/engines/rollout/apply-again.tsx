import type { AppliedAgain, Drift } from '@mooring/contract/engines/rollout/drift-calls';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { useAct } from '../../kit/queries.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useT, type Words } from '../../ui/words.ts';

/** What was done: some of it may wait until somebody agrees to it. */
export function appliedWords({ releases, done }: AppliedAgain): Words {
  const waiting = releases.reduce((sum, { approval, terminals }) => sum + (approval ? terminals : 0), 0);
  if (waiting === 0) return { key: 'drift.appliedMany', params: { done } };
  return waiting === done
    ? { key: 'drift.waitsMany', params: { waiting } }
    : { key: 'drift.waitsSome', params: { out: done - waiting, waiting } };
}

interface Props {
  row: Drift;
  onClose: () => void;
  onDone?: () => void;
}
/** Asks before it is released again to one terminal, and says what came of it. */
export function ApplyAgain({ row, onClose, onDone }: Props) {
  const t = useT();
  const act = useAct(driftCallsFor(row).applyAgain, {
    successText: ({ releases }) => ({
      key: releases.some(({ approval }) => approval) ? 'drift.waitsOne' : 'drift.appliedOne',
      params: { name: row.sn },
    }),
    done: () => {
      onDone?.();
      onClose();
    },
  });
  const label = t('drift.again');
  return (
    <Confirm
      open
      title={t('drift.againSure', { name: row.sn })}
      confirm={label}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() => act.run({ of: { ids: [row.id] } })}
    >
      {t('drift.againTextOne', { name: row.sn })}
    </Confirm>
  );
}
