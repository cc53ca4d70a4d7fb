import type { Platform } from '@mooring/contract/kit/call';
import { RadioGroup } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

/** Where to go in; the one of the last time is chosen already. */
export function PlatformField({ value, onChange }: { value: Platform; onChange: (platform: Platform) => void }) {
  const t = useT();
  return (
    <Field label={t('auth.platform')} group>
      <RadioGroup
        boxes
        value={value}
        onChange={onChange}
        options={[
          { value: 'centre', label: t('platform.centre') },
          { value: 'manager', label: t('platform.manager') },
        ]}
      />
    </Field>
  );
}
