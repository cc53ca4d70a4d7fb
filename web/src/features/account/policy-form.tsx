import { type PolicyLine, policyCalls } from '@mooring/contract/account/policy-calls';
import type { Call } from '@mooring/contract/kit/call';
import { type ReactNode, useMemo, useState } from 'react';
import type { z } from 'zod';
import { messageOf } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { DualNote, isHeld, saidOf } from '../../kit/dual-control.tsx';
import { FieldGrid } from '../../kit/form/field-grid.tsx';
import { FormFrame } from '../../kit/form/form-frame.tsx';
import { fixedFields } from '../../kit/form/form-view.tsx';
import { type Held, useHeld, useRelease } from '../../kit/form/held.ts';
import { textOf } from '../../kit/form/schema.ts';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import { useForm } from '../../kit/form/use-form.ts';
import { callError, isCallError } from '../../kit/outcome.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { chooseSearch, searchNow, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { type T, type TextKey, useT } from '../../ui/words.ts';

interface Props {
  load: Call;
  edit: Call;
  /** What dual control calls it. */
  target: 'loginPolicy' | 'passwordPolicy';
  schema: z.ZodType;
  sections: readonly {
    readonly title: TextKey;
    readonly fields: readonly FieldSpec[];
    /** Below its last field, from what is chosen at this moment. */
    readonly below?: (values: Values) => ReactNode;
  }[];
  /** What is said after a save, where there is more to say than that. */
  saved?: (values: Values) => TextKey | undefined;
  presets: Readonly<Record<string, Values>>;
  /** Above the fields: what the choice means. */
  lead: (values: Values, take: (values: Values) => void) => ReactNode;
}

/** Whoever acts for the platform has the platform's; below a product line there is that one alone. */
const ownOf = (lines: readonly PolicyLine[]) => lines.find(({ kind }) => kind === 'platform') ?? lines[0];

/** The policies of a product line. Which one stands in the address; where there is only one, nobody is asked. */
export function PolicyForm(props: Props) {
  const t = useT();
  const view = useView();
  const { data: lines, error, retry } = useCall(policyCalls.lines, {});
  if (error && !lines) return <CallFailed part error={error} onRetry={retry} />;
  if (!lines) return <PageSkeleton />;
  const wanted = view.search.get('line');
  const line = wanted === null ? ownOf(lines) : lines.find((one) => String(one.id) === wanted);
  // Another's, or none: never one that the address doesn't name.
  if (!line) return <Empty icon="lock" title={t('account.policy.notOwn')} text={t('account.policy.notOwn.text')} />;
  return (
    <div className="m-stack">
      {lines.length > 1 ? <LineChoice lines={lines} line={line} /> : null}
      <Loaded key={line.id} {...props} line={line} several={lines.length > 1} />
    </div>
  );
}

const nameOf = (t: T, { name, kind }: PolicyLine) => (kind === 'platform' ? t('account.policy.top', { name }) : name);

function LineChoice({ lines, line }: { lines: readonly PolicyLine[]; line: PolicyLine }) {
  const t = useT();
  const view = useView();
  const choose = (id: number | undefined) => {
    const search = searchNow(view);
    search.set('line', String(id ?? line.id));
    chooseSearch(view, search);
  };
  return (
    <section className="m-panel m-panel-body">
      <Field label={t('account.policy.of')}>
        <Select width={320} value={line.id} onChange={choose} options={lines.map((one) => ({ value: one.id, label: nameOf(t, one) }))} />
      </Field>
    </section>
  );
}

interface OfLine {
  readonly line: PolicyLine;
  /** Others have a policy of their own: which one it is has to be said. */
  readonly several: boolean;
}
/** A policy: loaded, changed by hand or taken from a preset, saved whole. */
function Loaded(props: Props & OfLine) {
  const { data, error, loading, retry } = useCall(props.load, { productLineId: props.line.id } as never);
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (loading || !data) return <PageSkeleton />;
  return <Kept {...props} found={data as Values} />;
}

/** The form keeps what was loaded first: a change elsewhere takes nothing of what is being typed. */
function Kept({ found, ...props }: Props & OfLine & { found: Values }) {
  const held = useHeld(found, textOf);
  /** What was sent for approval isn't in effect: the form shows what is. */
  const [sent, setSent] = useState(0);
  return <Filled key={`${held.turn} ${sent}`} {...props} held={held} onSent={() => setSent(sent + 1)} />;
}

/** What the server calls `policy.maxTries` is the field `maxTries` here. */
const ownFields = (error: unknown) =>
  isCallError(error)
    ? callError({
        ...error,
        message: error.message,
        fields: Object.fromEntries(Object.entries(error.fields).map(([path, found]) => [path.replace(/^policy\./, ''), found])),
      })
    : undefined;

interface Filling extends OfLine {
  held: Held<Values>;
  onSent: () => void;
}
function Filled({ edit, target, schema, sections, presets, lead, saved: more, line, several, held, onSent }: Props & Filling) {
  const t = useT();
  const fields = useMemo(() => sections.flatMap((section) => section.fields), [sections]);
  const [initial] = useState(held.value);
  const form = useForm({ schema, initial, fields, guard: true });
  const onSaved = useRelease(held, form, (found) => found);
  const [failure, setFailure] = useState<string>();
  const saved = {
    key: more?.(form.values) ?? 'account.policy.saved',
    params: { name: [t(`change.target.${target}`), several ? nameOf(t, line) : ''].filter(Boolean).join(' · ') },
  } as const;
  const act = useAct(edit, { hidden: true, successText: (output) => saidOf(edit, output, saved) });
  const mayEdit = mayCall(edit);
  const take = (values: Values) => {
    for (const [name, one] of Object.entries(values)) form.set(name, one);
  };
  /** A preset that was changed by hand is one no more. */
  const preset = Object.entries(presets).find(([, values]) =>
    Object.entries(values).every(([name, one]) => name === 'preset' || JSON.stringify(form.values[name]) === JSON.stringify(one)),
  )?.[0];
  const submit = async () => {
    setFailure(undefined);
    if (act.busy || !form.check()) return;
    try {
      const output = await act.ask({
        productLineId: line.id,
        policy: { ...form.tidied, preset: preset ?? 'custom' },
        seen: held.value,
      } as never);
      form.finish();
      if (isHeld(edit, output)) onSent();
      else onSaved(form.values);
    } catch (error) {
      const own = ownFields(error);
      if (!own || own.cancelled) return;
      if (!form.refuse(own)) setFailure(messageOf(error));
    }
  };
  return (
    <FormFrame
      form={form}
      onSubmit={() => void (mayEdit && submit())}
      problems={form.tried > 0 ? form.problems() : []}
      message={failure}
      above={
        <>
          <DualNote call={edit} target={target} line={line.id} />
          {held.overtaken && form.dirty && !act.busy ? <Note tone="warn">{t('kit.edit.overtaken')}</Note> : null}
        </>
      }
    >
      {mayEdit ? lead({ ...form.values, preset: preset ?? 'custom' }, take) : null}
      {sections.map((section) => (
        <section key={section.title} className="m-panel m-panel-body m-stack">
          <h2>{t(section.title)}</h2>
          <FieldGrid form={form} fields={mayEdit ? section.fields : fixedFields(section.fields)} />
          {section.below?.(form.values)}
        </section>
      ))}
      {mayEdit ? (
        <div className="m-form-foot">
          <Button look="primary" submit busy={act.busy}>
            {t('kit.save')}
          </Button>
        </div>
      ) : null}
    </FormFrame>
  );
}
