import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
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
  const [initial] = useState<Values>(() => value ?? {});
  const form = useForm({ schema, initial, fields });
  const told = useRef(onChange);
  told.current = onChange;
  const next = schema ? form.tidied : form.values;
  const text = JSON.stringify(next);
  // What is there already isn't told as a change: a form that nobody typed into would ask before it is left.
  const known = useRef(value === undefined ? undefined : text);
  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    told.current(JSON.parse(text) as Values);
  }, [text]);
  if (!of) return <FieldGrid form={form} fields={fields} />;
  const within = `${of.name}.`;
  const judged: Form = {
    ...form,
    errorOf: (name) => of.form.errorOf(within + name),
    leave: (name) => of.form.leave(within + name),
  };
  return <FieldGrid form={judged} fields={fields} within={within} />;
}
