import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { controlIn, Problems } from './field-grid.tsx';
import type { Form } from './use-form.ts';

/** Ctrl+Enter submits from anywhere in the form, Enter from a one-line field. */
const submitKeys = (submit: () => void) => (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    submit();
  }
};

/** What is wrong, or the first field that is, where a short form names none above its fields. */
function lead(frame: HTMLElement | null): void {
  const bad = frame?.querySelector<HTMLElement>('.m-problems') ?? frame?.querySelector<HTMLElement>('.m-field-bad');
  const focused = bad?.matches('.m-problems') ? bad : controlIn(bad);
  focused?.focus({ preventScroll: true });
  bad?.scrollIntoView({ block: 'nearest' });
}

interface Props {
  readonly form: Form;
  readonly onSubmit: () => void;
  /** Named above the fields, each with the way to it. */
  readonly problems: ReturnType<Form['problems']>;
  /** Why all of it was refused. */
  readonly message: string | undefined;
  /** Where a problem's field isn't on the page: leads to it. */
  readonly onPick?: (name: string) => void;
  /** Before what is wrong. */
  readonly above?: ReactNode;
  /** Over a list, not a page of its own. */
  readonly short?: boolean;
  readonly children: ReactNode;
}

/** A form, as the keyboard and the eye go through it. A refusal leads both to what is wrong, however long the form is. */
export function FormFrame({ form, onSubmit, problems, message, onPick, above, short = false, children }: Props) {
  const frame = useRef<HTMLFormElement>(null);
  const known = useRef(form.refused);
  useEffect(() => {
    if (form.refused === known.current) return;
    known.current = form.refused;
    lead(frame.current);
  }, [form.refused]);
  return (
    <form
      ref={frame}
      className={short ? 'm-stack' : 'm-form'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={submitKeys(onSubmit)}
    >
      {above}
      <Problems problems={problems} message={message} {...(onPick ? { onPick } : {})} />
      {children}
    </form>
  );
}
