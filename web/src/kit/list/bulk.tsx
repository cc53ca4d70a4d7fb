import type { BulkOutcome } from '@mooring/contract/kit/page';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Progress } from '../../ui/figures.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useFormat, useT, wordsOf } from '../../ui/words.ts';
import { api, messageOf } from '../client.ts';
import { FieldGrid } from '../form/field-grid.tsx';
import { isRequired } from '../form/schema.ts';
import type { FieldSpec, Values } from '../form/types.ts';
import { useForm } from '../form/use-form.ts';
import { isCallError } from '../outcome.ts';
import { change } from '../queries.ts';
import { mayCall } from '../session.ts';
import { BulkResult, Failures } from './bulk-result.tsx';
import type { BulkAction } from './types.ts';

export interface BulkProps {
  action: BulkAction;
  of: unknown;
  /** How many are chosen, as far as is known before the preview. */
  count: number;
  capped: boolean;
  onClose: () => void;
  onDone: () => void;
}

const none = {};
const noFields: readonly FieldSpec[] = [];
const TYPING_MS = 400;

/** What matches a filter now is no longer what matched it: rows that were chosen one by one alone are known again. */
function undoOf({ undo }: BulkAction, of: unknown) {
  if (!undo || !mayCall(undo.call) || typeof of !== 'object' || of === null || !('ids' in of)) return undefined;
  const takeBack = () =>
    void change(undo.call, { of, preview: false }).then(
      (outcome) => toast('done', t(undo.successText, { done: (outcome as BulkOutcome).done })),
      // The client has shown why.
      () => undefined,
    );
  return { label: t('kit.undo'), onClick: takeBack };
}

/** Preview, confirmation, progress, and a result that lists what failed and why. */
export function BulkDialog({ action, of, count, capped, onClose, onDone }: BulkProps) {
  const t = useT();
  const format = useFormat();
  const [preview, setPreview] = useState<BulkOutcome>();
  const [result, setResult] = useState<BulkOutcome>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const form = useForm({
    schema: action.form && !action.form.input ? action.call.input : undefined,
    initial: action.form?.initial ?? none,
    fields: action.form?.fields ?? noFields,
  });
  const own = (values: Values) => {
    const names = [...form.fields.map((field) => field.name), ...(action.form?.carries ?? [])];
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  };
  const inputOf = (only: boolean) =>
    ({ of, preview: only, ...action.extra, ...(action.form ? (action.form.input ?? own)(form.values) : {}) }) as never;
  const needsForm = action.form !== undefined;

  const isNeeded = (name: string) => action.form?.input !== undefined || isRequired(form.shape[name]);
  const filled = form.fields.every(({ name }) => !isNeeded(name) || (form.values[name] !== undefined && form.values[name] !== ''));
  const typedSoFar = JSON.stringify(form.values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when the form's values change; the rest is made anew with the dialog
  useEffect(() => {
    // It was of what stood there before.
    setPreview(undefined);
    if (!filled) return;
    let current = true;
    const ask = () =>
      api(action.call, inputOf(true), { hidden: true }).then(
        (found) => {
          if (!current) return;
          setPreview(found as BulkOutcome);
          setFailure(undefined);
          if (needsForm) form.mark(undefined);
        },
        // A form that nothing was filled in yet is refused: that is said at the try, not before.
        (error: unknown) => {
          if (!current) return;
          if (!needsForm) setFailure(messageOf(error));
          else if (form.dirty && isCallError(error)) form.mark(error);
        },
      );
    const timer = setTimeout(() => void ask(), needsForm ? TYPING_MS : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [typedSoFar]);

  const affected = preview ? preview.total - preview.refused : count;
  const shown = preview ? format.number(affected) : format.total(count, capped);
  const label = t(action.label, { count: shown, n: affected });

  const run = async () => {
    if (!form.check(form.fields.map((field) => field.name))) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const outcome = (await change(action.call, inputOf(false), { hidden: true, showsRefused: true })) as BulkOutcome;
      if (outcome.work === null) onDone();
      if (outcome.work === null && outcome.failed.length === 0 && outcome.refused === 0) {
        const { successText } = action;
        const words = typeof successText === 'function' ? successText(outcome as never) : successText;
        if (words)
          toast('done', wordsOf(typeof words === 'string' ? { key: words, params: { done: outcome.done } } : words), undoOf(action, of));
        onClose();
      } else setResult(outcome);
    } catch (error) {
      if (!isCallError(error) || !form.refuse(error)) setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (result) return <BulkResult title={label} result={result} onClose={onClose} onDone={onDone} />;
  const word = t('kit.bulk.word');
  return (
    <Dialog
      open
      title={label}
      onClose={onClose}
      busy={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button
            look="primary"
            danger={action.danger ?? false}
            busy={busy}
            disabled={(preview !== undefined && affected === 0) || (action.type === true && typed.trim() !== word)}
            onClick={() => void run()}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        {action.text ? <p>{t(action.text, { count: shown, n: affected })}</p> : null}
        {needsForm ? <FieldGrid form={form} fields={action.form?.fields ?? []} /> : null}
        {preview ? (
          <p>
            {t('kit.bulk.preview', { total: preview.total, affected })}
            {preview.refused > 0 ? ` ${t('kit.bulk.refused', { refused: preview.refused })}` : ''}
          </p>
        ) : failure || needsForm ? null : (
          <Bone width="60%" />
        )}
        {preview ? <Failures rows={preview.failed} /> : null}
        {action.type ? (
          <Field label={t('kit.confirm.type', { name: word })}>
            <TextInput value={typed} onChange={setTyped} />
          </Field>
        ) : null}
        {busy ? <Progress share={undefined} label={label} note={t('kit.bulk.running')} /> : null}
        {failure ? <Note tone="danger">{failure}</Note> : null}
      </div>
    </Dialog>
  );
}
