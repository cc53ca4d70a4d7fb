import { deviceCalls } from '@mooring/contract/device/calls';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { refresh, useAct } from '../../../kit/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { useT } from '../../../ui/words.ts';

/** Takes back what the terminal hasn't answered yet. */
export function Withdraw({ commandId, of }: { commandId: number; of: string }) {
  const t = useT();
  const withdraw = useAct(deviceCalls.withdraw, { successText: 'thing.withdrawn', done: () => refresh(THINGS) });
  return (
    <Button small of={of} busy={withdraw.busy} onClick={() => withdraw.run({ id: commandId })}>
      {t('thing.withdraw')}
    </Button>
  );
}
