import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { useT } from '../../ui/words.ts';
import { FieldGrid } from './field-grid.tsx';
import type { FieldSpec, Values } from './types.ts';
import { type Form, useForm } from './use-form.ts';

/** Fields of a nested object, inside a larger form that holds the object. */
export function SubForm({
  schema,
  fields,
  value,
  onChange,
  of,
}: {
  schema?: z.ZodType;
  fields: readonly FieldSpec[];
  value: Values | undefined;
  onChange: (value: Values) => void;
  /** The larger form and the object's name there: it judges these fields with its own rules and the server's answer, and counts them. */
  of?: { readonly form: Form; readonly name: string };
}) {
  const t = useT();
  const [initial] = useState<Values>(() => value ?? {});
  const form = useForm({ schema, initial, fields });
  const tell = (value: Values) => (of && !form.dirty ? of.form.fill(of.name, value) : onChange(value));
  const told = useRef(tell);
  told.current = tell;
  const next = schema ? form.tidied : form.values;
  const text = JSON.stringify(next);
  // What is there already isn't told as a change: a form that nobody typed into would ask before it is left.
  const known = useRef(value === undefined ? undefined : text);
  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    told.current(JSON.parse(text) as Values);
  }, [text]);
  const within = of ? `${of.name}.` : '';
  const empty = [...form.emptied].join();
  const hold = useRef(of?.form.hold);
  hold.current = of?.form.hold;
  // What the larger form never sees emptied, since the object's schema fills it in.
  useEffect(() => {
    const names = empty === '' ? [] : empty.split(',');
    for (const name of names) hold.current?.(within + name, t('invalid.required'));
    return () => {
      for (const name of names) hold.current?.(within + name, undefined);
    };
  }, [empty, within, t]);
  if (!of) return <FieldGrid form={form} fields={fields} />;
  const judged: Form = {
    ...form,
    errorOf: (name) =>
      of.form.errorOf(within + name) ?? (form.emptied.has(name) && of.form.isShown(within + name) ? t('invalid.required') : undefined),
    leave: (name) => of.form.leave(within + name),
  };
  return <FieldGrid form={judged} fields={fields} within={within} />;
}
