import type { DataType } from '@mooring/contract/product/thing-types';
import { useState } from 'react';
import { ALL_DIGITS } from '../../../kit/thing/type-words.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { NumberInput, Select, Switch, TextInput } from '../../../ui/controls.tsx';
import { MomentPicker } from '../../../ui/date-range.tsx';
import { Field } from '../../../ui/field.tsx';
import { useFormat, useT, wordsOf } from '../../../ui/words.ts';
import { blank, type Draft, type Problems } from './value-drafts.ts';

interface Props {
  readonly type: DataType;
  readonly label: string;
  /** Where in what is sent it stands: `receipt.lines[2]`. */
  readonly at: string;
  readonly value: Draft;
  readonly problems: Problems;
  readonly onChange: (value: Draft) => void;
}

/** Smallest and largest value, and the step, as help below a number. */
function useNumberHelp(): (type: Extract<DataType, { min: number | null }>) => string | undefined {
  const t = useT();
  const format = useFormat();
  return ({ min, max, step }) => {
    const parts = [
      min === null ? '' : t('thing.wrong.min', { limit: min }),
      max === null ? '' : t('thing.wrong.max', { limit: max }),
      step === null ? '' : `${t('model.step')} ${format.number(step, ALL_DIGITS)}`,
    ];
    return parts.filter(Boolean).join(' · ') || undefined;
  };
}

/** What is known is switched; of what nobody said yet one of the two is chosen. */
function Bool({ type, value, onChange }: Pick<Props, 'value' | 'onChange'> & { type: Extract<DataType, { kind: 'bool' }> }) {
  const [known] = useState(typeof value === 'boolean');
  if (known)
    return (
      <span className="m-row">
        <Switch value={value === true} onChange={onChange} />
        <span aria-hidden="true">{value === true ? type.yes : type.no}</span>
      </span>
    );
  return (
    <Select
      value={typeof value === 'boolean' ? String(value) : undefined}
      options={[
        { value: 'true', label: type.yes },
        { value: 'false', label: type.no },
      ]}
      onChange={(next) => onChange(next === undefined ? undefined : next === 'true')}
    />
  );
}

function Flat({ type, value, onChange }: Pick<Props, 'value' | 'onChange'> & { type: DataType }) {
  switch (type.kind) {
    case 'enum':
      return (
        <Select
          value={value as number | undefined}
          options={type.values.map((one) => ({ value: one.value, label: one.label }))}
          onChange={onChange}
        />
      );
    case 'bool':
      return <Bool type={type} value={value} onChange={onChange} />;
    case 'date':
      return <MomentPicker value={value as string | undefined} onChange={onChange} />;
    case 'text':
      return <TextInput value={String(value ?? '')} max={type.maxLength} onChange={onChange} />;
    case 'struct':
    case 'array':
      return null;
    default:
      return (
        <NumberInput
          value={value as number | string | undefined}
          onChange={onChange}
          {...(type.unit ? { unit: type.unit } : {})}
          {...(type.step === null ? {} : { step: type.step })}
        />
      );
  }
}

function Items({ type, at, value, problems, onChange }: Props & { type: Extract<DataType, { kind: 'array' }> }) {
  const t = useT();
  const items = Array.isArray(value) ? (value as Draft[]) : [];
  const put = (index: number, item: Draft) => onChange(items.map((one, where) => (where === index ? item : one)));
  return (
    <div className="m-stack-tight">
      {items.map((item, index) => {
        const number = index + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no name of their own
          <div key={index} className="m-thing-item">
            <div className="m-grow">
              <ValueControl
                type={type.item}
                label={t('thing.item', { number })}
                at={`${at}[${index}]`}
                value={item}
                problems={problems}
                onChange={(next) => put(index, next)}
              />
            </div>
            <IconButton
              icon="delete"
              label={t('thing.item.remove', { number })}
              onClick={() => onChange(items.filter((_one, where) => where !== index))}
            />
          </div>
        );
      })}
      {items.length < type.maxItems ? (
        <div>
          <Button small icon="add" onClick={() => onChange([...items, blank(type.item)])}>
            {t('thing.item.add')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The control of a value by its data type; structures and lists hold those of their parts. */
export function ValueControl(props: Props) {
  const { type, label, at, value, problems, onChange } = props;
  const numberHelp = useNumberHelp();
  const wrong = problems[at];
  const error = wrong && wordsOf(wrong);
  if (type.kind === 'struct') {
    const held = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, Draft>>;
    return (
      <Field label={label} error={error} group>
        <div className="m-ring">
          {type.fields.map((field) => (
            <ValueControl
              key={field.id}
              type={field.dataType}
              label={field.name}
              at={at === '' ? field.id : `${at}.${field.id}`}
              value={Object.hasOwn(held, field.id) ? held[field.id] : undefined}
              problems={problems}
              onChange={(next) => onChange({ ...held, [field.id]: next })}
            />
          ))}
        </div>
      </Field>
    );
  }
  if (type.kind === 'array')
    return (
      <Field label={label} error={error} group>
        <Items {...props} type={type} />
      </Field>
    );
  return (
    <Field label={label} error={error} help={'min' in type ? numberHelp(type) : undefined}>
      <Flat type={type} value={value} onChange={onChange} />
    </Field>
  );
}
