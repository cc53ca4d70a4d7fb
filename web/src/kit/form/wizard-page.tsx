import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { shapeOf } from '@mooring/contract/kit/issue-words';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Steps } from '../../ui/figures.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT, type Words, wordsOf } from '../../ui/words.ts';
import { bindPage } from '../bind-page.ts';
import { PageHead } from '../page-head.tsx';
import type { Page } from '../route.ts';
import { withoutSecrets } from '../seal.ts';
import { chooseSearch, go, goOn, searchNow, useView, type View } from '../view.ts';
import { dropDraft, keepDraft, leaveDraft, readDraft } from './draft.ts';
import { type EditSpec, type FilledProps, NewOrEdited } from './editing.tsx';
import { FieldGrid } from './field-grid.tsx';
import { FormFrame } from './form-frame.tsx';
import { useSubmit } from './form-view.tsx';
import type { FieldSpec, Values } from './types.ts';
import { type Form, nameIn, useForm } from './use-form.ts';

export interface WizardStep<V = Values> {
  readonly key: string;
  readonly title: TextKey;
  readonly text?: TextKey;
  readonly fields?: readonly FieldSpec<V>[];
  /** Further inputs that this step answers for, where it draws them itself. */
  readonly names?: readonly (keyof V & string)[];
  /** Fields of such an input, where it is an object: their errors are counted and named one by one. */
  readonly parts?: Readonly<Record<string, readonly FieldSpec[]>>;
  /** Drawn below the fields: a preview, a review, a control of its own. */
  readonly render?: (values: Partial<V>, set: (name: keyof V & string, value: unknown) => void, form: Form) => ReactNode;
}

export interface WizardSpec<C extends Call, E extends Call = Call, L extends Call = Call, B extends Call = Call> {
  readonly title: TextKey;
  readonly call: C;
  /** The same steps on an existing row. Fields that its call doesn't take aren't asked. */
  readonly edit?: EditSpec<C, E, L, B>;
  readonly initial?: Partial<InputOf<C>>;
  /** What the address names already: "release this package". */
  readonly from?: (search: URLSearchParams) => Partial<InputOf<C>>;
  readonly steps: readonly WizardStep<InputOf<C>>[];
  /** What the last button does: "Release to 1,204 terminals". A hook; `here` once the last step is reached. */
  readonly useSubmit: (values: Partial<InputOf<C>>, here: boolean) => Submit;
  /** By the field's name, or `delivery.retries` for a field of its parts. */
  readonly rules?: (values: Partial<InputOf<C>>) => Record<string, string | undefined>;
  readonly done: (output: OutputOf<C>) => string;
  readonly cancel: string;
  /** What was done; gets `{name}` and what the answer counts. */
  readonly successText: TextKey | ((values: Partial<InputOf<C>>, output: OutputOf<C>) => Words);
}

/** What the last button says, and why it can't be pressed now. */
export interface Submit {
  readonly words: Words;
  readonly refused?: Words | undefined;
  /** Inputs that stay here: they were typed before it was known that nobody asks for them. */
  readonly without?: readonly string[];
}

interface Prepared {
  readonly spec: WizardSpec<Call>;
  readonly steps: readonly WizardStep[];
  readonly fields: readonly FieldSpec[];
  readonly names: readonly (readonly string[])[];
}

function prepare(spec: WizardSpec<Call>, call: Call): Prepared {
  const shape = shapeOf(call.input);
  const steps = (spec.steps as unknown as readonly WizardStep[]).map((step) => ({
    ...step,
    fields: (step.fields ?? []).filter((field) => field.name in shape),
  }));
  const drawn = (step: WizardStep) => [
    ...(step.names ?? []).map((name): FieldSpec => ({ name, label: step.title })),
    ...Object.entries(step.parts ?? {}).flatMap(([name, parts]) =>
      parts.map((part): FieldSpec => ({ name: `${name}.${part.name}`, label: part.label })),
    ),
  ];
  const fields = steps.map((step) => [...step.fields, ...drawn(step)]);
  return { spec, steps, fields: fields.flat(), names: fields.map((some) => some.map((field) => field.name)) };
}

/**
 * Steps over one input. The address holds the step; a later step opens when those before it are right. With an id in the address it edits.
 */
export function wizardPage<C extends Call, E extends Call = Call, L extends Call = Call, B extends Call = Call>(
  declared: WizardSpec<C, E, L, B>,
): Page {
  const spec = declared as unknown as WizardSpec<Call>;
  const adding = prepare(spec, spec.call);
  const editing = spec.edit && prepare(spec, spec.edit.call);
  const draw = (props: FilledProps) => <Wizard {...(props.id !== undefined && editing ? editing : adding)} {...props} />;
  return bindPage(NewOrEdited, { call: spec.call, edit: spec.edit, initial: (spec.initial ?? {}) as Values, cancel: spec.cancel, draw });
}

function draftPath({ path, search }: View): string {
  const asked = new URLSearchParams(search);
  asked.delete('step');
  const text = asked.toString();
  return text ? `${path}?${text}` : path;
}

function Wizard({ spec, steps, fields, names, initial, id, note }: Prepared & FilledProps) {
  const t = useT();
  const view = useView();
  const edit = id === undefined ? undefined : spec.edit;
  const call = edit?.call ?? spec.call;
  const title = t(edit?.title ?? spec.title);
  // What was begun from scratch isn't what was begun as a copy, nor what another address asked for.
  const path = draftPath(view);
  const [kept, setKept] = useState(() => (id === undefined ? readDraft(path) : undefined));
  const [named] = useState(() => spec.from?.(view.search) ?? {});
  const start = useMemo(() => (id === undefined ? { ...initial, ...named } : { ...initial, id }), [initial, named, id]);
  const form = useForm({
    ...(kept ? { typed: kept } : {}),
    schema: call.input,
    initial: start,
    fields,
    guard: true,
    rules: spec.rules as never,
  });
  const wanted = Math.max(
    0,
    steps.findIndex((step) => step.key === view.search.get('step')),
  );
  const open = useOpenSteps(form, names);
  const at = Math.min(wanted, open);
  const step = steps[at] as WizardStep;
  const last = at === steps.length - 1;
  const { words, refused, without = [] } = spec.useSubmit(form.values, last && !edit);
  const { submit, busy, failure } = useSubmit(form, call, {
    input: (given) => Object.fromEntries(Object.entries(form.ofShape(given)).filter(([name]) => !without.includes(name))),
    done: (output) => {
      const { successText } = spec;
      toast(
        'done',
        typeof successText === 'function'
          ? wordsOf(successText(form.values as never, output as never))
          : t(successText, { name: nameIn(output, form.values) }),
      );
      goOn(view, spec.done(output as never), { replace: true });
    },
  });
  const { values, dirty } = form;
  useEffect(() => {
    if (id === undefined && dirty) keepDraft(path, withoutSecrets(call, values));
  }, [id, path, call, values, dirty]);
  useEffect(() => (id === undefined ? () => leaveDraft(path) : undefined), [id, path]);
  const lead = (key: string) => {
    const next = searchNow(view);
    next.set('step', key);
    chooseSearch(view, next, false);
  };
  const goTo = (key: string) => {
    form.untry();
    lead(key);
  };
  const onwards = () => {
    if (last) return refused === undefined ? void submit() : undefined;
    if (!form.check(names[at])) return;
    walked.current.push(step.key);
    goTo((steps[at + 1] as WizardStep).key);
  };
  // Back is the browser's Back where this page made the step: its next one would lead forward again otherwise.
  const walked = useRef<string[]>([]);
  const back = () => {
    const { key } = steps[at - 1] as WizardStep;
    form.untry();
    if (walked.current.at(-1) === key) history.back();
    else goTo(key);
  };
  useEffect(() => {
    const again = walked.current.indexOf(step.key);
    if (again >= 0) walked.current.length = again;
  }, [step.key]);
  const head = useRef<HTMLHeadingElement>(null);
  // A problem's link leads to its field, not to the step's head.
  const led = useRef(false);
  // The first step too: the whole menu lies before it.
  useEffect(() => {
    if (!led.current) head.current?.focus({ preventScroll: at === 0 });
    led.current = false;
  }, [at]);
  return (
    <div className="m-page m-page-form">
      <PageHead title={title} />
      {note}
      {kept ? (
        <Note
          tone="info"
          action={
            <Button
              small
              onClick={() => {
                dropDraft(path);
                setKept(undefined);
                form.restart();
                chooseSearch(view, new URLSearchParams());
              }}
            >
              {t('kit.draft.again')}
            </Button>
          }
        >
          {t('kit.draft.kept')}
        </Note>
      ) : null}
      <Steps
        label={title}
        onPick={goTo}
        steps={steps.map((one, index) => ({
          key: one.key,
          label: t(one.title),
          state: index < at ? 'done' : index === at ? 'now' : 'later',
        }))}
      />
      <FormFrame
        form={form}
        onSubmit={onwards}
        problems={form.tried > 0 ? form.problems(last || edit ? undefined : names[at]) : []}
        message={failure}
        onPick={(name) => {
          led.current = true;
          lead(steps[names.findIndex((step) => step.includes(name))]?.key ?? step.key);
        }}
      >
        <section className="m-panel m-panel-body m-stack">
          <div className="m-stack-tight">
            <h2 tabIndex={-1} ref={head}>
              {t(step.title)}
            </h2>
            {step.text ? <p className="m-muted">{t(step.text)}</p> : null}
          </div>
          {step.fields?.length ? <FieldGrid form={form} fields={step.fields} /> : null}
          {step.render?.(form.values, form.set, form)}
        </section>
        <div className="m-form-foot">
          <Button onClick={() => go((id !== undefined && edit?.cancel?.(id)) || spec.cancel)} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <span className="m-grow" />
          {last && !edit && refused !== undefined ? <span className="m-muted m-form-why">{wordsOf(refused)}</span> : null}
          {at > 0 ? (
            <Button icon="back" onClick={back} disabled={busy}>
              {t('kit.wizard.back')}
            </Button>
          ) : null}
          {last && edit ? null : (
            <Button look={edit ? 'default' : 'primary'} submit busy={busy && last} disabled={last && refused !== undefined}>
              {last ? wordsOf(words) : t('kit.wizard.next')}
            </Button>
          )}
          {edit ? (
            <Button look="primary" submit={last} busy={busy} onClick={() => last || void submit()}>
              {t('kit.edit.save')}
            </Button>
          ) : null}
        </div>
      </FormFrame>
    </div>
  );
}

/** How far the answers given so far open the way. */
function useOpenSteps(form: Form, names: readonly (readonly string[])[]): number {
  return useMemo(() => {
    const wrong = new Set(Object.keys(form.found));
    const stop = names.findIndex((step) => step.some((name) => wrong.has(name)));
    return stop < 0 ? names.length - 1 : stop;
  }, [form.found, names]);
}
