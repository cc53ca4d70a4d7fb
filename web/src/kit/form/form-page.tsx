import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { useMemo } from 'react';
import { ErrorState, PageSkeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { messageOf } from '../client.ts';
import { PageHead } from '../page-head.tsx';
import { useCall } from '../queries.ts';
import type { Page } from '../route.ts';
import { go, idIn, useView, type View } from '../view.ts';
import { FormView, useSubmit } from './form-view.tsx';
import type { FieldSpec, Section, Values } from './types.ts';
import { useForm } from './use-form.ts';

export interface FormSpec<C extends Call, E extends Call = Call, L extends Call = Call> {
  readonly title: TextKey;
  /** Creates. */
  readonly call: C;
  /** The same form on an existing row: loads it, and sends its changes with its id. */
  readonly edit?: {
    readonly title: TextKey;
    readonly load: L;
    readonly call: E;
    readonly input?: (view: View) => InputOf<L>;
    readonly values: (row: OutputOf<L>) => Partial<InputOf<C>>;
    /** Fields that can't be changed any more. */
    readonly fixed?: readonly (keyof InputOf<C> & string)[];
  };
  readonly sections: readonly Section<InputOf<C>>[];
  readonly initial?: Partial<InputOf<C>>;
  readonly rules?: (values: Partial<InputOf<C>>) => Partial<Record<keyof InputOf<C> & string, string | undefined>>;
  readonly submit: TextKey;
  /** Where it leads when it is done. */
  readonly done: (output: OutputOf<C>) => string;
  readonly cancel: string;
  readonly said?: TextKey;
}

/** One declaration for creating and editing: with an id in the address it edits. */
export function formPage<C extends Call, E extends Call = Call, L extends Call = Call>(spec: FormSpec<C, E, L>): Page {
  const plain = spec as unknown as FormSpec<Call>;
  const initial = (plain.initial ?? {}) as Values;
  return bindPage(FormScreen, { spec: plain, initial });
}

function FormScreen({ spec, initial }: { spec: FormSpec<Call>; initial: Values }) {
  const view = useView();
  return spec.edit && view.params.id ? <Editing spec={spec} edit={spec.edit} view={view} /> : <Filled spec={spec} initial={initial} />;
}

function Editing({ spec, edit, view }: { spec: FormSpec<Call>; edit: NonNullable<FormSpec<Call>['edit']>; view: View }) {
  const id = idIn(view);
  const row = useCall(edit.load, (edit.input?.(view) ?? { id }) as never);
  // The form keeps what was loaded first: a change elsewhere doesn't overwrite what is being typed.
  const loaded = row.data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first answer counts
  const initial = useMemo(() => (loaded ? (edit.values(row.data as never) as Values) : undefined), [loaded, id]);
  if (row.error && !loaded) return <ErrorState text={messageOf(row.error)} requestId={row.error.requestId} onRetry={row.retry} />;
  if (!initial) return <PageSkeleton />;
  return <Filled key={id} spec={spec} initial={initial} id={id} />;
}

function Filled({ spec, initial, id }: { spec: FormSpec<Call>; initial: Values; id?: number }) {
  const t = useT();
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
    input: (values) => Object.fromEntries(Object.entries(values).filter(([name]) => name in form.shape)),
    done: (output) => {
      toast('done', t(spec.said ?? 'kit.saved'));
      go(spec.done((output ?? { id }) as never), { replace: true });
    },
  });
  return (
    <div className="m-page m-page-form">
      <PageHead title={t(editing && spec.edit ? spec.edit.title : spec.title)} />
      <FormView
        form={form}
        sections={sections}
        submitLabel={t(editing ? 'kit.save' : spec.submit)}
        onSubmit={() => void submit()}
        onCancel={() => go(spec.cancel)}
        busy={busy}
        failure={failure}
      />
    </div>
  );
}
