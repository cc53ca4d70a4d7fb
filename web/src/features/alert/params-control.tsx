import { type ConditionKind, conditionOf, type Param, type Params } from '@mooring/contract/alert/conditions';
import type { ControlPart } from '../../kit/form/types.ts';
import { NumberInput, Select, TextInput } from '../../ui/controls.tsx';
import { Field, Unlinked } from '../../ui/field.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { Matching } from './matching.tsx';

interface OneProps {
  readonly name: string;
  readonly param: Param;
  readonly value: string | number | null | undefined;
  readonly put: (value: string | number | null) => void;
  readonly disabled: boolean;
}

function One({ name, param, value, put, disabled }: OneProps) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const label = loose(`alertRule.param.${name}`, name);
  if (param.type === 'choice')
    return (
      <Field label={label}>
        <Select
          value={String(value ?? param.default)}
          options={param.options.map((one) => ({ value: one, label: loose(`alertRule.param.${name}.${one}`, one) }))}
          onChange={(next) => put(next ?? param.default)}
          disabled={disabled}
        />
      </Field>
    );
  if (param.type === 'text')
    return (
      <Field label={label}>
        <TextInput value={String(value ?? '')} max={param.max} onChange={put} disabled={disabled} />
      </Field>
    );
  const usual = value === undefined ? param.default : value;
  const limits = `${format.number(param.min)} – ${format.number(param.max)}`;
  return (
    <Field label={label} help={param.default === null ? `${limits} · ${t('alertRule.param.usual')}` : limits}>
      <NumberInput
        value={usual ?? undefined}
        unit={t(`alertRule.unit.${param.unit}`)}
        onChange={(next) => put((next as number | undefined) ?? null)}
        disabled={disabled}
      />
    </Field>
  );
}

/** What the condition that is chosen wants to know. */
export function ParamsControl({ value, onChange, values, disabled }: ControlPart<Params | undefined>) {
  const kind = values.kind as ConditionKind | undefined;
  if (kind === undefined) return null;
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {Object.entries(conditionOf(kind).params).map(([name, param]) => (
          <One
            key={`${kind} ${name}`}
            name={name}
            param={param}
            value={value?.[name]}
            put={(next) => onChange({ ...keptOf(kind, value), [name]: next })}
            disabled={disabled}
          />
        ))}
        <Matching values={{ ...values, params: value }} />
      </div>
    </Unlinked>
  );
}

/** Without what an earlier choice wanted to know. */
const keptOf = (kind: ConditionKind, value: Params | undefined): Params =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name in conditionOf(kind).params));
