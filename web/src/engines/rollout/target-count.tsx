import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { messageOf } from '../../kit/client.ts';
import { useCall } from '../../kit/queries.ts';
import { useSettled } from '../../kit/settled.ts';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { InVain, Lacking, Refused } from './refused.tsx';

interface Props {
  call: TaskCalls['preview'];
  input: InputOf<TaskCalls['preview']>;
  onAllowDowngrade: (() => void) | undefined;
}
/** How many terminals are chosen, as they are chosen. */
export function TargetCount({ call, input, onAllowDowngrade }: Props) {
  const t = useT();
  // Serial numbers are typed letter by letter.
  const asked = useSettled(input);
  const { data, error, outdated } = useCall(call, asked.value, { keep: true });
  if (error && asked.isNow) return <Note tone="danger">{messageOf(error)}</Note>;
  const found = asked.isNow && !outdated ? data : undefined;
  return (
    <div className="m-stack-tight">
      <p role="status">{found ? <b>{t('firmware.preview.matched', { count: found.matched })}</b> : t('firmware.preview.checking')}</p>
      {found ? <Refused of={found.refused} onAllowDowngrade={onAllowDowngrade} /> : null}
      {found ? <Lacking of={found.lacking} matched={found.matched} /> : null}
      {found ? <InVain title={t('firmware.preview.unknown', { count: found.unknownSns.length })} sns={found.unknownSns} /> : null}
    </div>
  );
}
