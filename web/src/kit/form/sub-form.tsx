import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { FieldGrid } from './field-grid.tsx';
import type { FieldSpec, Values } from './types.ts';
import { useForm } from './use-form.ts';

/** Fields of a nested object, inside a larger form that holds the object. */
export function SubForm({
  schema,
  fields,
  value,
  onChange,
}: {
  schema?: z.ZodType;
  fields: readonly FieldSpec[];
  value: Values | undefined;
  onChange: (value: Values) => void;
}) {
  const [initial] = useState<Values>(() => value ?? {});
  const form = useForm({ schema, initial, fields });
  const told = useRef(onChange);
  told.current = onChange;
  const next = schema ? form.tidied : form.values;
  const text = JSON.stringify(next);
  useEffect(() => told.current(JSON.parse(text) as Values), [text]);
  return <FieldGrid form={form} fields={fields} />;
}
