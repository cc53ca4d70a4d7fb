import { useState } from 'react';
import { type ControlProps, NumberInput, Select } from './controls.tsx';
import { Unlinked } from './field.tsx';
import { inUnit, type SpanUnit, spanUnits, toMinutes, unitOf } from './span.ts';
import { useT } from './words.ts';

type Minutes = number | string | undefined;

/** A span that is kept in minutes: a number, and its unit beside it. Another unit keeps the number: 30 minutes become 30 days. */
export function SpanInput({ value, onChange, ...rest }: ControlProps<Minutes>) {
  const t = useT();
  const [own, setOwn] = useState<{ value: Minutes; unit: SpanUnit }>({ value, unit: unitOf(value) });
  // What came from elsewhere, such as a preset, is read in the unit that fits it.
  const unit = own.value === value ? own.unit : unitOf(value);
  const put = (count: Minutes, next: SpanUnit) => {
    const minutes = toMinutes(count, next);
    setOwn({ value: minutes, unit: next });
    onChange(minutes);
  };
  return (
    <span className="m-span">
      <NumberInput {...rest} value={inUnit(value, unit)} onChange={(count) => put(count, unit)} />
      <Unlinked>
        <Select
          label={t('kit.span.unit')}
          disabled={rest.disabled ?? false}
          width={120}
          value={unit}
          onChange={(next) => put(inUnit(value, unit), next ?? unit)}
          options={spanUnits.map((one) => ({ value: one, label: t(`kit.span.${one}`) }))}
        />
      </Unlinked>
    </span>
  );
}
