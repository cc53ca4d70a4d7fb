import { limitsOf } from '@mooring/contract/kit/issue-words';
import { useEffect, useState } from 'react';
import { MultiSelect, NumberInput, PasswordInput, RadioGroup, Select, Switch, TextArea, TextInput } from '../../ui/controls.tsx';
import { DayInput, MomentInput } from '../../ui/late-dates.tsx';
import { SpanInput } from '../../ui/span-input.tsx';
import { TagsInput } from '../../ui/tags-input.tsx';
import { useLooseT, useT, wordsOf } from '../../ui/words.ts';
import { useSession } from '../session.ts';
import { takesText } from '../takes-text.ts';
import { WayToMade } from '../way-to-made.tsx';
import { isOptional, kindOf } from './schema.ts';
import type { FieldChoice, FieldSpec, Offered } from './types.ts';
import type { Form } from './use-form.ts';

const noChoices = (): Offered => ({ choices: [] });

/** Certificates and keys, whose lines are of one length. */
const isPem = (value: unknown): boolean => typeof value === 'string' && value.startsWith('-----BEGIN ');

/** What is taken before anybody has chosen. */
function useUsual(field: FieldSpec, choices: readonly FieldChoice[], isEmpty: boolean) {
  const { user } = useSession();
  if (!isEmpty) return undefined;
  const mine = choices.find(({ value }) => field.own && value === user?.relateDept.deptId);
  return (mine ?? (field.only && choices.length === 1 ? choices[0] : undefined))?.value;
}

/** The control of a field, as its schema and declaration want it. */
export function FieldControl({ form, field }: { form: Form; field: FieldSpec }) {
  const loose = useLooseT();
  const t = useT();
  const [text, setText] = useState('');
  const schema = form.shape[field.name];
  const limits = limitsOf(schema);
  const value = form.values[field.name];
  const chosen = (Array.isArray(value) ? value : value === undefined ? [] : [value]) as (string | number)[];
  const asked = (field.useChoices ?? noChoices)(text, chosen);
  const put = (next: unknown) => form.set(field.name, next);
  const onBlur = () => form.leave(field.name);
  const disabled = field.fixed ?? false;
  const usual = useUsual(field, asked.choices, value === undefined && text === '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, when it is known
  useEffect(() => {
    if (usual !== undefined) form.fill(field.name, usual);
  }, [usual]);
  const common = { onBlur, disabled };
  if (field.Control)
    return (
      <field.Control
        value={value}
        onChange={put}
        onBlur={onBlur}
        values={form.values}
        set={form.set}
        fill={form.fill}
        disabled={disabled}
      />
    );

  const own =
    field.names === undefined
      ? undefined
      : limits.options?.map((option): FieldChoice => ({ value: option, label: { text: loose((field.names ?? '') + option, option) } }));
  const choices = field.choices ?? own ?? (field.useChoices ? asked.choices : undefined);
  const options = (choices ?? []).map((choice) => ({
    value: choice.value,
    label: wordsOf(choice.label),
    ...(choice.about ? { about: wordsOf(choice.about) } : {}),
    ...(choice.picture ? { picture: choice.picture } : {}),
  }));
  const kind =
    field.kind ?? (choices && kindOf(schema) !== 'multi' && kindOf(schema) !== 'tags' ? 'one' : choices ? 'multi' : kindOf(schema));
  const { madeOn, busy = false } = asked;
  const search = field.useChoices
    ? {
        ...(takesText(field.useChoices) ? { onSearch: setText } : {}),
        busy,
        ...(madeOn ? { nothing: <WayToMade madeOn={madeOn} /> } : {}),
      }
    : {};
  // The keyboard doesn't reach into the open list: where there is nothing at all the way stands below the field.
  const none =
    madeOn && !busy && text === '' && asked.choices.length === 0 ? <WayToMade madeOn={madeOn} lead={t('kit.select.none')} /> : null;
  // Nothing is cut off: what is too long is said at once.
  const write = (next: string) => {
    put(next);
    if (limits.max !== undefined && next.length > limits.max) form.leave(field.name);
  };
  switch (kind) {
    case 'area':
      return (
        <TextArea
          {...common}
          {...(limits.max === undefined ? {} : { max: limits.max })}
          value={String(value ?? '')}
          onChange={write}
          mono={isPem(value)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={value as number | string | undefined}
          onChange={put}
          {...(field.unit ? { unit: t(field.unit) } : {})}
        />
      );
    case 'one':
      return (
        <>
          <Select
            {...common}
            {...search}
            options={options}
            value={chosen[0]}
            onChange={put}
            clear={isOptional(schema) && !form.isNeeded(field.name)}
          />
          {none}
        </>
      );
    case 'multi':
      return (
        <>
          <MultiSelect {...common} {...search} options={options} value={chosen} onChange={put} />
          {none}
        </>
      );
    case 'radio':
      return <RadioGroup options={options} value={(value ?? '') as string} onChange={put} disabled={disabled} boxes />;
    case 'switch':
      return <Switch value={value === true} onChange={put} disabled={disabled} />;
    case 'password':
      return <PasswordInput {...common} value={String(value ?? '')} onChange={put} autoComplete="new-password" />;
    case 'moment':
      return <MomentInput {...common} value={value as string | undefined} onChange={put} />;
    case 'day':
      return <DayInput {...common} value={value as string | undefined} onChange={put} />;
    case 'span':
      return <SpanInput {...common} value={value as number | string | undefined} onChange={put} />;
    case 'tags':
    case 'phrases':
      return <TagsInput {...common} value={chosen.map(String)} onChange={put} spaced={kind === 'phrases'} />;
    default:
      return <TextInput {...common} value={String(value ?? '')} onChange={write} />;
  }
}
