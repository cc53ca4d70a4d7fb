import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import { FieldControl } from './field-control.tsx';
import { isOptional, isRequired, kindOf } from './schema.ts';
import type { FieldSpec } from './types.ts';
import type { Form } from './use-form.ts';

const whole = new Set(['area', 'radio', 'custom', 'tags', 'phrases']);

const fieldId = (name: string): string => `field-${name}`;

const CONTROLS = 'input,textarea,select,button,[tabindex]';
/** Where the keyboard begins in a field: in a group at the control that is wrong, else at its first. */
export const controlIn = (field: HTMLElement | null | undefined): HTMLElement | null | undefined =>
  ['[aria-invalid=true]:not([role=radiogroup])', CONTROLS]
    .map((these) => field?.querySelector<HTMLElement>(these))
    .find((control) => control);

/** Focuses a field: at once, or as soon as what draws it has come. */
function focusField(name: string): void {
  const focus = (): boolean => {
    const control = document.getElementById(fieldId(name));
    const inside = control?.matches(CONTROLS) ? control : controlIn(control);
    inside?.focus();
    return inside !== undefined && inside !== null;
  };
  if (focus()) return;
  const watch = new MutationObserver(() => focus() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), 5000);
}

/** Fields in one column, or two where there is room. Optional ones are marked, since most are required. */
export function FieldGrid({ form, fields, within = '' }: { form: Form; fields: readonly FieldSpec[]; within?: string }) {
  const t = useT();
  return (
    <div className="m-fields">
      {fields
        .filter((field) => !form.hidden.has(field.name))
        .map((field) => {
          const schema = form.shape[field.name];
          const kind = field.Control ? 'custom' : (field.kind ?? kindOf(schema));
          const error = form.errorOf(field.name);
          return (
            <div key={field.name} className={(field.wide ?? whole.has(kind)) ? 'm-field-whole' : ''}>
              <Field
                id={fieldId(within + field.name)}
                label={t(field.label)}
                help={field.help ? t(field.help) : undefined}
                {...(error ? { error } : {})}
                onOwnError={(words) => form.hold(field.name, words)}
                required={isRequired(schema)}
                optional={isOptional(schema) && kind !== 'switch' && !field.unmarked && !field.needed && !form.isNeeded(field.name)}
                group={kind === 'radio' || kind === 'custom'}
              >
                <FieldControl form={form} field={field} />
              </Field>
            </div>
          );
        })}
    </div>
  );
}

/** Everything that is wrong, each a way to its field. */
export function Problems({
  problems,
  message,
  onPick,
}: {
  problems: readonly { name: string; label: string; text: string }[];
  message?: string | undefined;
  /** Where the field isn't on the page: leads to it. */
  onPick?: (name: string) => void;
}) {
  const t = useT();
  if (problems.length === 0 && !message) return null;
  return (
    <div className="m-note m-note-danger m-problems" role="alert" tabIndex={-1}>
      <div className="m-stack-tight">
        <b>{message ?? t('kit.form.problems', { count: problems.length })}</b>
        <ul>
          {problems.map((problem) => (
            <li key={problem.name}>
              <button
                type="button"
                className="m-plain m-link"
                onClick={() => {
                  if (!document.getElementById(fieldId(problem.name))) onPick?.(problem.name);
                  focusField(problem.name);
                }}
              >
                {problem.label}
              </button>
              : {problem.text}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
