import type { Call } from '@mooring/contract/kit/call';
import type { AnyEntity, RowOf } from '@mooring/contract/kit/entity';
import type { ComponentType, ReactNode } from 'react';
import type { z } from 'zod';
import { createStore, type Store, useStore } from '../../ui/store.ts';
import { type TextKey, useT } from '../../ui/words.ts';
import { bind } from '../bind-page.ts';
import { isHeld } from '../dual-control.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import type { FieldSpec, Values } from '../form/types.ts';
import { nameIn } from '../form/use-form.ts';
import { type EntityField, fieldsOf, fixedOf, valuesOf } from './entity-field.ts';
import { type OwnTexts, textsOf } from './own-texts.ts';

interface DialogCalls {
  readonly add?: Call;
  readonly update?: Call;
}
interface Dialogs<E extends AnyEntity> {
  readonly fields: readonly EntityField<E>[];
  /** What a new one begins with, where its schema doesn't say it. */
  readonly initial?: Partial<z.input<E['add']>>;
  /** What is said of a new one. */
  readonly added?: TextKey;
  /** Above the fields. */
  readonly about?: TextKey;
  /** In two columns, where it has many fields. */
  readonly wide?: boolean;
}
interface AddProps {
  readonly onClose: () => void;
  /** What the place fixes: the list that it goes into. */
  readonly given?: Values;
  /** Above the fields. */
  readonly about?: ReactNode;
}

/** Of a call for two people: that it waits. */
const saying = (call: Call, done: TextKey) => (output: unknown) => (isHeld(call, output) ? 'change.sent' : done);
function Said({ text }: { text: TextKey }) {
  return <p className="m-muted">{useT()(text)}</p>;
}

interface Adding {
  readonly said: TextKey | undefined;
  readonly call: Call;
  readonly title: TextKey;
  readonly added: TextKey;
  readonly fields: readonly FieldSpec[];
  readonly initial: Values;
  readonly wide: boolean;
}
const AddForm = ({ call, title, added, fields, initial, wide, said, given, about, onClose }: Adding & AddProps) => (
  <FormDialog
    title={title}
    submit={title}
    call={call}
    successText={saying(call, added)}
    wide={wide}
    fields={fields as never}
    initial={{ ...initial, ...given } as never}
    about={about ?? (said && <Said text={said} />)}
    onClose={onClose}
  />
);

interface Editing {
  readonly of: AnyEntity;
  readonly call: Call;
  readonly title: TextKey;
  readonly fields: readonly FieldSpec[];
  readonly chosen: Store<Values | undefined>;
  readonly wide: boolean;
  readonly said: TextKey | undefined;
}
function EditForm({ of, call, title, fields, chosen, wide, said }: Editing) {
  const row = useStore(chosen);
  if (!row) return null;
  const values = Object.entries(valuesOf(of, row)).filter(([name]) => fields.some((one) => one.name === name));
  return (
    <FormDialog
      title={title}
      of={nameIn(row, row)}
      submit="kit.save"
      call={call}
      successText={saying(call, 'done.saved')}
      about={said && <Said text={said} />}
      wide={wide}
      fields={fields as never}
      initial={{ id: row.id, revision: row.revision, ...Object.fromEntries(values) } as never}
      onClose={() => chosen.set(undefined)}
    />
  );
}

const Nothing = () => null;

/** The form of a row as dialogs over its list: `Add`, and `Edit` for the row that `edit` opens. */
export function formDialogs<E extends AnyEntity>(
  of: E,
  { add, update }: DialogCalls,
  { added = 'done.added', initial = {}, wide = false, about: said, ...form }: Dialogs<E> & OwnTexts<E['texts']>,
): { Add: ComponentType<AddProps>; Edit: ComponentType; edit: (row: RowOf<E>) => void } {
  const text = textsOf(of.texts, form as OwnTexts<string>);
  const fields = fieldsOf(of, form.fields);
  const fixed = fixedOf(of);
  const changing = fields.filter(({ name }) => !fixed.includes(name));
  const chosen = createStore<Values | undefined>(undefined);
  return {
    Add: add ? bind<Adding, AddProps>(AddForm, { call: add, title: text('add'), added, fields, initial, wide, said }) : Nothing,
    Edit: update ? bind(EditForm, { of, call: update, title: text('edit'), fields: changing, chosen, wide, said }) : Nothing,
    edit: (row) => chosen.set(row as Values),
  };
}
