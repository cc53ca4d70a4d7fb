import type { Call, InputOf } from '@mooring/contract/kit/call';
import { settingCalls } from '@mooring/contract/settings/calls';
import type { SettingType } from '@mooring/contract/settings/kinds';
import { type SystemSetting, systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { type ReactNode, use, useMemo, useState } from 'react';
import type { z } from 'zod';
import { CallFailed } from '../../kit/dead-end.tsx';
import { DualNote, isHeld, saidOf } from '../../kit/dual-control.tsx';
import { FormView, useSubmit } from '../../kit/form/form-view.tsx';
import { type Held, useHeld, useRelease } from '../../kit/form/held.ts';
import type { FieldSpec, Section, Values } from '../../kit/form/types.ts';
import { useForm } from '../../kit/form/use-form.ts';
import { NotPublic } from '../../kit/not-public.tsx';
import { refresh, useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { OpenTab } from '../../kit/settings-tabs.ts';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT, wordsOf } from '../../ui/words.ts';

type Setting = z.output<typeof SystemSetting>;

interface Props<C extends Call> {
  type: SettingType;
  call: C;
  sections: readonly Section<InputOf<C>>[];
  /** Beside the form, from what is typed at this moment. */
  preview?: (values: Values) => ReactNode;
  after?: ReactNode;
  /** What is said after a save, where there is more to say than that. */
  saved?: (values: Values) => TextKey | undefined;
}

/** One setting of the installation as a form: loaded, changed, saved whole. */
export function SettingForm<C extends Call>(props: Props<C>) {
  const { data, error, loading, fetching, retry } = useCall(systemSettingCalls.findByCriteria, { criteria: { type: props.type } });
  const found = data?.[0];
  if (error && !found) return <CallFailed part error={error} onRetry={retry} />;
  if (loading || !found || (fetching && !found)) return <PageSkeleton />;
  return <Kept {...props} found={found} />;
}

/** The form keeps what was loaded first: a change elsewhere takes nothing of what is being typed. */
function Kept<C extends Call>({ found, ...props }: Props<C> & { found: Setting }) {
  const held = useHeld(found, (one) => String(one.updatedAt));
  /** What was sent for approval isn't in effect: the form shows what is. */
  const [sent, setSent] = useState(0);
  return <Filled key={`${held.turn} ${sent}`} {...props} held={held} onSent={() => setSent(sent + 1)} />;
}

interface Filling {
  held: Held<Setting>;
  onSent: () => void;
}
const valuesOf = ({ value, updatedAt }: Setting): Values => ({ ...value, seen: updatedAt });

function Filled<C extends Call>({ type, call, saved, sections: given, held, preview, after, onSent }: Props<C> & Filling) {
  const t = useT();
  const tab = use(OpenTab);
  const readOnly = !mayCall(call, useSession());
  const { secrets } = held.value;
  const sections = useMemo(
    () =>
      (given as unknown as readonly Section[]).map((section) => ({
        ...section,
        fields: section.fields.map(
          (field): FieldSpec => (secrets.includes(field.name) ? { ...field, help: 'settings.secret.set' } : field),
        ),
      })),
    [given, secrets],
  );
  const fields = useMemo(() => sections.flatMap((section) => section.fields), [sections]);
  const [initial] = useState(() => valuesOf(held.value));
  const form = useForm({ schema: call.input, initial, fields, guard: true });
  const onSaved = useRelease(held, form, valuesOf);
  const { submit, busy, failure, refused } = useSubmit(form, call, {
    done: (output) => {
      const done = saved?.(form.values) ?? ({ key: 'done.saved', params: { name: t(tab) } } as const);
      toast('done', wordsOf(saidOf(call, output, done)));
      // What the door says of the installation follows from its settings.
      refresh(settingCalls.pageSetting.group);
      if (isHeld(call, output)) onSent();
      else onSaved(form.values);
    },
  });
  return (
    <div className={preview ? 'm-beside' : 'm-stack'}>
      <DualNote call={call} target={type} />
      {held.overtaken && form.dirty && !busy ? <Note tone="warn">{t('kit.edit.overtaken')}</Note> : null}
      <NotPublic refused={refused} />
      <FormView
        form={form}
        sections={sections}
        submitLabel={t('settings.save')}
        onSubmit={() => void submit()}
        busy={busy}
        failure={failure}
        readOnly={readOnly}
      />
      {preview?.(form.values)}
      {after}
    </div>
  );
}
