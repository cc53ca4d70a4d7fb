import { type DataKind, dataKinds, thingLimits, units } from '@mooring/contract/product/thing-types';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { NumberInput, Select, TextInput } from '../../../ui/controls.tsx';
import { Field } from '../../../ui/field.tsx';
import { type TextKey, useT, wordsOf } from '../../../ui/words.ts';
import { type Draft, newField, type Problems, typeOf } from './drafts.ts';

/** Where in the part this is, and what is wrong by place; said once somebody wanted it to be taken. */
interface Placed {
  readonly at: string;
  readonly problems: Problems;
  readonly judged: boolean;
}
interface TypeProps extends Placed {
  readonly type: Draft;
  readonly onChange: (type: Draft) => void;
  /** How many structures and lists it stands in. */
  readonly depth: number;
  readonly label?: string;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (value ?? undefined) as number | string | undefined;
const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as Draft[];
const under = (at: string, part: string | number) => (at === '' ? String(part) : `${at}.${part}`);

/** A field with its error, if that is said already. */
export function Part({
  at,
  part,
  problems,
  judged,
  label,
  children,
  optional = false,
  group = false,
}: Placed & { part: string; label: TextKey; children: ReactNode; optional?: boolean; group?: boolean }) {
  const t = useT();
  const words = judged ? problems[under(at, part)] : undefined;
  return (
    <Field label={t(label)} error={words && wordsOf(words)} optional={optional} group={group}>
      {children}
    </Field>
  );
}

const unitOptions = [...new Set(Object.values(units).flat() as string[])].map((unit) => ({ value: unit, label: unit }));

function NumberRules({ type, onChange, ...placed }: Omit<TypeProps, 'depth'>) {
  const number = (part: 'min' | 'max' | 'step') => (
    <Part {...placed} part={part} label={`model.${part}`} optional>
      <NumberInput value={numberOf(type[part])} onChange={(value) => onChange({ ...type, [part]: value ?? null })} />
    </Part>
  );
  return (
    <div className="m-grid">
      {number('min')}
      {number('max')}
      {number('step')}
      <Part {...placed} part="unit" label="model.unit" optional>
        <Select
          value={textOf(type.unit) || undefined}
          options={unitOptions}
          clear
          onChange={(unit) => onChange({ ...type, unit: unit ?? null })}
        />
      </Part>
    </div>
  );
}

function EnumValues({ type, onChange, at, problems, judged }: Omit<TypeProps, 'depth'>) {
  const t = useT();
  const values = listOf(type.values);
  const put = (next: readonly Draft[]) => onChange({ ...type, values: next });
  return (
    <Part at={at} problems={problems} judged={judged} part="values" label="model.values" group>
      <div className="m-stack-tight">
        {values.map((one, index) => {
          const place = { at: under(at, `values.${index}`), problems, judged };
          const set = (part: Draft) => put(values.map((other, where) => (where === index ? { ...other, ...part } : other)));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: values have no name of their own while they are typed
            <div key={index} className="m-row">
              <Part {...place} part="value" label="model.value">
                <NumberInput value={numberOf(one.value)} onChange={(value) => set({ value: value ?? null })} />
              </Part>
              <Part {...place} part="label" label="model.label">
                <TextInput value={textOf(one.label)} onChange={(label) => set({ label })} />
              </Part>
              {values.length > 1 ? (
                <IconButton
                  small
                  icon="delete"
                  label={`${t('model.remove')}: ${textOf(one.label) || String(one.value ?? '')}`}
                  onClick={() => put(values.filter((_other, where) => where !== index))}
                />
              ) : null}
            </div>
          );
        })}
        {values.length < thingLimits.values ? (
          <Button small icon="add" onClick={() => put([...values, { value: values.length, label: '' }])}>
            {t('model.values.add')}
          </Button>
        ) : null}
      </div>
    </Part>
  );
}

/** Fields of a structure, or parameters of a service or event. */
export function FieldList({
  fields,
  onChange,
  at,
  problems,
  judged,
  depth,
  add,
  most,
}: Placed & { fields: readonly Draft[]; onChange: (fields: readonly Draft[]) => void; depth: number; add: TextKey; most: number }) {
  const t = useT();
  return (
    <div className="m-stack">
      {fields.map((field, index) => {
        const place = { at: under(at, index), problems, judged };
        const set = (part: Draft) => onChange(fields.map((other, where) => (where === index ? { ...other, ...part } : other)));
        const title = textOf(field.id) || `${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no name of their own while they are typed
          <fieldset key={index} className="m-ring">
            <legend className="m-mono">{title}</legend>
            <div className="m-grid">
              <Part {...place} part="id" label="model.id">
                <TextInput value={textOf(field.id)} onChange={(id) => set({ id })} mono />
              </Part>
              <Part {...place} part="name" label="model.name">
                <TextInput value={textOf(field.name)} onChange={(name) => set({ name })} />
              </Part>
            </div>
            <TypeEditor
              {...place}
              at={under(place.at, 'dataType')}
              depth={depth}
              type={field.dataType as Draft}
              onChange={(dataType) => set({ dataType })}
            />
            <div>
              <Button small icon="delete" of={title} onClick={() => onChange(fields.filter((_other, where) => where !== index))}>
                {t('model.remove')}
              </Button>
            </div>
          </fieldset>
        );
      })}
      {fields.length < most ? (
        <div>
          <Button small icon="add" onClick={() => onChange([...fields, newField()])}>
            {t(add)}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** A data type with what it holds; structures and lists nest as deep as a model may. */
export function TypeEditor({ type, onChange, depth, label, ...placed }: TypeProps) {
  const t = useT();
  const { at, problems, judged } = placed;
  const kind = type.kind as DataKind;
  const kinds = dataKinds.filter((one) => depth < thingLimits.depth || (one !== 'struct' && one !== 'array'));
  const set = (part: Draft) => onChange({ ...type, ...part });
  const words = judged ? problems[at] : undefined;
  return (
    <>
      <Field label={label ?? t('model.type')} error={words && wordsOf(words)}>
        <Select
          value={kind}
          options={kinds.map((one) => ({ value: one, label: t(`model.type.${one}`) }))}
          onChange={(next) => next && next !== kind && onChange(typeOf(next))}
        />
      </Field>
      {kind === 'int' || kind === 'float' || kind === 'double' ? <NumberRules type={type} onChange={onChange} {...placed} /> : null}
      {kind === 'enum' ? <EnumValues type={type} onChange={onChange} {...placed} /> : null}
      {kind === 'bool' ? (
        <div className="m-grid">
          {(['yes', 'no'] as const).map((part) => (
            <Part key={part} {...placed} part={part} label={`model.${part}`}>
              <TextInput value={textOf(type[part])} onChange={(words_) => set({ [part]: words_ })} />
            </Part>
          ))}
        </div>
      ) : null}
      {kind === 'text' ? (
        <Part {...placed} part="maxLength" label="model.maxLength">
          <NumberInput value={numberOf(type.maxLength)} onChange={(maxLength) => set({ maxLength: maxLength ?? null })} />
        </Part>
      ) : null}
      {kind === 'struct' ? (
        <Part {...placed} part="fields" label="model.fields" group>
          <FieldList
            {...placed}
            at={under(at, 'fields')}
            depth={depth + 1}
            fields={listOf(type.fields)}
            onChange={(fields) => set({ fields })}
            add="model.field.add"
            most={thingLimits.fields}
          />
        </Part>
      ) : null}
      {kind === 'array' ? (
        <>
          <Part {...placed} part="maxItems" label="model.maxItems">
            <NumberInput value={numberOf(type.maxItems)} onChange={(maxItems) => set({ maxItems: maxItems ?? null })} />
          </Part>
          <TypeEditor
            {...placed}
            at={under(at, 'item')}
            depth={depth + 1}
            label={t('model.item')}
            type={type.item as Draft}
            onChange={(item) => set({ item })}
          />
        </>
      ) : null}
    </>
  );
}
