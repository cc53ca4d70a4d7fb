import { COMMAND_HOURS } from '@mooring/contract/device/commands';
import { COMMAND_HOURS_MOST } from '@mooring/contract/device/thing/thing-calls';
import { useState } from 'react';
import { NumberInput } from '../../../ui/controls.tsx';
import { Field } from '../../../ui/field.tsx';
import { useT } from '../../../ui/words.ts';

/** How long something is waited for. Answers what to send, or nothing where it can't be: then the field says why. */
export function useExpiry() {
  const [hours, setHours] = useState<number | string | undefined>(COMMAND_HOURS);
  const [isWrong, setIsWrong] = useState(false);
  const read = (): number | undefined => {
    const value = Number(hours);
    const fits = Number.isInteger(value) && value >= 1 && value <= COMMAND_HOURS_MOST;
    setIsWrong(!fits);
    return fits ? value : undefined;
  };
  const put = (next: number | string | undefined) => {
    setHours(next);
    setIsWrong(false);
  };
  return { hours, put, isWrong, read };
}

export function Expiry({ of: { hours, put, isWrong } }: { of: ReturnType<typeof useExpiry> }) {
  const t = useT();
  return (
    <Field label={t('device.command.hours')} {...(isWrong ? { error: t('thing.hours.wrong', { most: COMMAND_HOURS_MOST }) } : {})}>
      <NumberInput value={hours} onChange={put} />
    </Field>
  );
}
