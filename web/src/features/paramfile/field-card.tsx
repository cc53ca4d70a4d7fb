import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type FieldType, fieldTypes, type TemplateField } from '@mooring/contract/paramfile/template-fields';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { NumberInput, Select, Switch, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TagsInput } from '../../ui/tags-input.tsx';
import { useT, type Words, wordsOf } from '../../ui/words.ts';
import { asType, type FieldDraft } from './field-draft.ts';
import { ParamValue } from './param-values.tsx';
import { useLeft } from './use-left.ts';

interface CardProps {
  /** Its own among the parameters, not its key. */
  readonly name: string;
  readonly row: FieldDraft;
  readonly at: number;
  readonly of: number;
  readonly problems: Readonly<Record<string, Words>>;
  /** Everything that is wrong is said, also where nobody was yet. */
  readonly judged: boolean;
  readonly put: (row: FieldDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (value ?? undefined) as number | string | undefined;
const rulesOf: Readonly<Record<FieldType, readonly (keyof TemplateField)[]>> = {
  text: ['maxLength', 'pattern', 'default'],
  number: ['min', 'max', 'default'],
  boolean: ['default'],
  choice: ['choices', 'default'],
  secret: ['maxLength', 'pattern'],
};

/** A parameter of a template: what it is called, and what may be given for it. */
export function FieldCard({ name, row, at, of, problems, judged, put, onMove, onRemove }: CardProps) {
  const t = useT();
  const { left, leave: leavePart } = useLeft();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: name });
  const title = textOf(row.key) || t('paramField.no', { no: at + 1 });
  const set = (part: Partial<FieldDraft>) => put({ ...row, ...part });
  const leave = (part: string) => () => leavePart(part);
  const field = (part: keyof TemplateField, label: string, control: ReactNode, more: object = {}) => {
    const words = judged || left.has(part) ? problems[part] : undefined;
    return (
      <Field key={part} label={label} error={words && wordsOf(words)} {...more}>
        {control}
      </Field>
    );
  };
  const text = (part: 'key' | 'label' | 'help' | 'pattern', mono = false) => (
    <TextInput value={textOf(row[part])} onChange={(value) => set({ [part]: value })} onBlur={leave(part)} mono={mono} />
  );
  const number = (part: 'min' | 'max' | 'maxLength') => (
    <NumberInput value={numberOf(row[part])} onChange={(value) => set({ [part]: value ?? null })} onBlur={leave(part)} />
  );
  const choices = (Array.isArray(row.choices) ? row.choices : []) as string[];
  const rules: Record<string, ReactNode> = {
    maxLength: field('maxLength', t('paramField.maxLength'), number('maxLength'), { optional: true }),
    pattern: field('pattern', t('paramField.pattern'), text('pattern', true), { optional: true, help: t('paramField.patternHelp') }),
    min: field('min', t('paramField.min'), number('min'), { optional: true }),
    max: field('max', t('paramField.max'), number('max'), { optional: true }),
    choices: field(
      'choices',
      t('paramField.choices'),
      <TagsInput value={choices} onChange={(next) => set({ choices: next })} onBlur={leave('choices')} spaced />,
    ),
    default: field(
      'default',
      t('paramField.default'),
      <ParamValue
        field={{ type: row.type, choices, required: false }}
        value={row.default}
        onChange={(value) => set({ default: value === undefined || value === '' ? null : value })}
        onBlur={leave('default')}
      />,
      { optional: true },
    ),
  };
  return (
    <fieldset
      ref={setNodeRef}
      className={isDragging ? 'm-ring m-card-dragged' : 'm-ring'}
      style={{ transform: CSS.Translate.toString(transform) ?? '', transition: transition ?? '' }}
    >
      <legend>{title}</legend>
      <div className="m-row m-ring-head">
        <button
          type="button"
          ref={setActivatorNodeRef}
          className="m-plain m-drag"
          aria-label={t('kit.board.card.drag', { card: title })}
          {...attributes}
          {...listeners}
        >
          <Icon name="menu" />
        </button>
        <IconButton small icon="up" label={`${t('paramField.up')}: ${title}`} disabled={at === 0} onClick={() => onMove(-1)} />
        <IconButton small icon="down" label={`${t('paramField.down')}: ${title}`} disabled={at === of - 1} onClick={() => onMove(1)} />
        <span className="m-grow" />
        {of > 1 ? (
          <Button small icon="delete" onClick={onRemove} of={title}>
            {t('paramField.remove')}
          </Button>
        ) : null}
      </div>
      {field('key', t('paramField.key'), text('key', true))}
      {field('label', t('paramField.label'), text('label'), { optional: true })}
      {field('help', t('paramField.help'), text('help'), { optional: true })}
      {field(
        'type',
        t('paramField.type'),
        <Select
          value={row.type}
          options={fieldTypes.map((one) => ({ value: one, label: t(`paramField.type.${one}`) }))}
          onChange={(type) => put(asType(row, type ?? 'text'))}
        />,
        row.type === 'secret' ? { help: t('paramField.secretAbout') } : {},
      )}
      {field('required', t('paramField.required'), <Switch value={row.required === true} onChange={(required) => set({ required })} />)}
      {rulesOf[row.type].map((rule) => rules[rule])}
    </fieldset>
  );
}
