import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { AnyEntity } from '@mooring/contract/kit/entity';
import { useMemo } from 'react';
import type { NextStep } from '../../ui/shown-toasts.ts';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { PageHead } from '../page-head.tsx';
import type { OwnTexts } from '../resource/own-texts.ts';
import { type FormCalls, formOf, type ResourceForm } from '../resource/resource-form.ts';
import type { Page } from '../route.ts';
import { go, goOn, useView } from '../view.ts';
import { type EditSpec, type FilledProps, NewOrEdited } from './editing.tsx';
import { FormView, useSubmit } from './form-view.tsx';
import type { FieldSpec, Section, Values } from './types.ts';
import { nameIn, useForm } from './use-form.ts';

export interface FormSpec<C extends Call, E extends Call = Call, L extends Call = Call> {
  readonly title: TextKey;
  /** Creates. */
  readonly call: C;
  /** The same form on an existing row. */
  readonly edit?: EditSpec<C, E, L>;
  readonly sections: readonly Section<InputOf<C>>[];
  readonly initial?: Partial<InputOf<C>>;
  readonly rules?: (values: Partial<InputOf<C>>) => Partial<Record<keyof InputOf<C> & string, string | undefined>>;
  readonly submit: TextKey;
  /** Where it leads when it is done. */
  readonly done: (output: OutputOf<C>) => string;
  readonly cancel: string;
  /** What was done; gets `{name}`. */
  readonly successText: TextKey;
  /** What comes next after something was made, beside the word that it was. */
  readonly next?: (output: OutputOf<C>) => NextStep | undefined;
}

/** One declaration for creating and editing: with an id in the address it edits. */
export function formPage<E extends AnyEntity, G extends FormCalls<E>>(of: E, calls: G, form: ResourceForm<E> & OwnTexts<E['texts']>): Page;
export function formPage<C extends Call, E extends Call = Call, L extends Call = Call>(declared: FormSpec<C, E, L>): Page;
export function formPage(first: unknown, calls?: unknown, form?: unknown): Page {
  const spec = (calls === undefined ? first : formOf(first as AnyEntity, calls as never, form as never)) as FormSpec<Call>;
  const initial = (spec.initial ?? {}) as Values;
  const draw = (props: FilledProps) => <FilledForm spec={spec} {...props} />;
  return bindPage(NewOrEdited, { call: spec.call, edit: spec.edit, initial, cancel: spec.cancel, draw });
}

function FilledForm({ spec, initial, id, note }: { spec: FormSpec<Call> } & FilledProps) {
  const t = useT();
  const view = useView();
  const editing = id !== undefined;
  const fixed: readonly string[] = (editing && spec.edit?.fixed) || [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fixed` follows from the two
  const sections = useMemo(
    () =>
      (spec.sections as unknown as readonly Section[]).map((section) => ({
        ...section,
        fields: section.fields.map((field): FieldSpec => (fixed.includes(field.name) ? { ...field, fixed: true } : field)),
      })),
    [spec, editing],
  );
  const fields = useMemo(() => sections.flatMap((section) => section.fields), [sections]);
  const call = editing && spec.edit ? spec.edit.call : spec.call;
  const start = useMemo(() => (editing ? { ...initial, id } : initial), [initial, id, editing]);
  const form = useForm({ schema: call.input, initial: start, fields, guard: true, rules: spec.rules as never });
  const { submit, busy, failure } = useSubmit(form, call, {
    input: form.ofShape,
    done: (output) => {
      const words = (editing && spec.edit?.successText) || spec.successText;
      toast('done', t(words, { name: nameIn(output, form.values) }), editing ? undefined : spec.next?.(output as never));
      goOn(view, spec.done((output ?? { id }) as never), { replace: true });
    },
  });
  return (
    <div className="m-page m-page-form">
      <PageHead focused title={t(editing && spec.edit ? spec.edit.title : spec.title)} />
      {note}
      <FormView
        form={form}
        sections={sections}
        submitLabel={t(editing ? 'kit.edit.save' : spec.submit)}
        onSubmit={() => void submit()}
        onCancel={() => go((editing && spec.edit?.cancel?.(id)) || spec.cancel)}
        busy={busy}
        failure={failure}
      />
    </div>
  );
}
