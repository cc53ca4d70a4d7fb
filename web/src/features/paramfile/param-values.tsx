import { paramFaults } from '@mooring/contract/paramfile/android-calls';
import { ownValue } from '@mooring/contract/paramfile/resolve';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { type TemplateField, type Wrong, wrongValues } from '@mooring/contract/paramfile/template-fields';
import { useEffect } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { NumberInput, PasswordInput, Select, TextInput } from '../../ui/controls.tsx';
import { Field, useFieldLink } from '../../ui/field.tsx';
import { Bone } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useLeft } from './use-left.ts';
import { type Value, valueWords } from './value-words.ts';

interface Secret {
  readonly key: string;
  readonly value: string;
}

interface ValueProps {
  field: Pick<TemplateField, 'type' | 'choices' | 'required'>;
  value: unknown;
  onChange: (value: Value | undefined) => void;
  onBlur?: () => void;
}
/** The control of a parameter, as its type wants it. */
export function ParamValue({ field, value, onChange, onBlur = () => {} }: ValueProps) {
  const { type, choices, required } = field;
  if (type === 'number') return <NumberInput value={value as number | undefined} onChange={onChange} onBlur={onBlur} />;
  if (type === 'choice')
    return (
      <Select
        value={value as string | undefined}
        options={choices.map((one) => ({ value: one, label: one }))}
        onChange={onChange}
        onBlur={onBlur}
        clear={!required}
      />
    );
  if (type === 'boolean')
    return (
      <Select
        value={value === undefined || value === null ? undefined : String(value)}
        options={['true', 'false'].map((one) => ({ value: one, label: valueWords(one === 'true') }))}
        onChange={(next) => onChange(next === undefined ? undefined : next === 'true')}
        onBlur={onBlur}
        clear={!required}
      />
    );
  if (type === 'secret')
    return <PasswordInput value={String(value ?? '')} onChange={onChange} onBlur={onBlur} autoComplete="new-password" />;
  return <TextInput value={String(value ?? '')} onChange={onChange} onBlur={onBlur} />;
}

const defaultsOf = (fields: readonly TemplateField[]): Values =>
  Object.fromEntries(fields.flatMap(({ key, default: value }) => (value === null ? [] : [[key, value]])));

/** The fields of the chosen template, with its defaults where it was just chosen. */
export function ParamValues({ value, onChange, values: form, set, fill }: ControlPart<Values | undefined>) {
  const t = useT();
  const templateId = form.templateId as number;
  const template = useCall(paramTemplateCalls.detail, { id: templateId });
  const { left, leave } = useLeft();
  const isJudged = useFieldLink().invalid === true;
  const isFresh = form.templateRevision === null;
  // What was kept of an earlier look waits for its fresh answer: it may have other fields and defaults by now.
  const data = isFresh && template.fetching ? undefined : template.data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, when the template is known
  useEffect(() => {
    if (!data) return;
    fill('fields', data.fields);
    if (!isFresh) return;
    fill('templateName', data.name);
    fill('templateRevision', data.revision);
    fill('values', defaultsOf(data.fields));
  }, [data, isFresh]);
  if (template.error) return <CallFailed part error={template.error} onRetry={template.retry} />;
  if (!data) return <Bone height={120} />;

  const values = value ?? {};
  const secrets = ((form.secrets ?? []) as readonly Secret[]).filter((one) => one.value !== '');
  const secretKeys = (form.secretKeys ?? []) as readonly string[];
  const wrong = wrongValues(data.fields, { values, secrets, secretKeys });
  const put = ({ key, type }: TemplateField, next: Value | undefined) => {
    if (type === 'secret') return set('secrets', [...secrets.filter((one) => one.key !== key), ...(next ? [{ key, value: next }] : [])]);
    const { [key]: _before, ...others } = values;
    return onChange(next === undefined || next === '' ? others : { ...others, [key]: next });
  };
  const words = (field: TemplateField, { problem, limit }: Wrong) =>
    problem === 'required'
      ? t('invalid.required')
      : t(`fault.${paramFaults[problem]}`, { field: field.label || field.key, limit: limit ?? 0 });
  return (
    <div className="m-ring">
      {data.fields.map((field) => {
        const { key, type, label, help, required } = field;
        const found = isJudged || left.has(key) ? wrong.get(key) : undefined;
        const isKept = type === 'secret' && secretKeys.includes(key);
        return (
          <Field
            key={key}
            label={label || key}
            required={required}
            optional={!required}
            error={found && words(field, found)}
            help={[help, ...(isKept ? [t('androidParam.setKeep')] : [])].filter(Boolean).join(' · ') || undefined}
          >
            <ParamValue
              field={field}
              value={type === 'secret' ? secrets.find((one) => one.key === key)?.value : ownValue(values, key)}
              onChange={(next) => put(field, next)}
              onBlur={() => leave(key)}
            />
          </Field>
        );
      })}
    </div>
  );
}
