import { shapeOf } from '@mooring/contract/kit/issue-words';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { z } from 'zod';
import { type Format, useFormat, useT, type Words, wordsOf } from '../../ui/words.ts';
import { holdLeaving } from '../leaving.ts';
import type { CallError } from '../outcome.ts';
import { check, defaultsOf, isEmptied, isNeeded, textOf, tidy } from './schema.ts';
import type { FieldSpec, Values } from './types.ts';

/** What a row is called, from the answer or else from what was typed. */
export function nameIn(output: unknown, values: Values): string {
  const rows = [output, values].filter((one): one is Values => typeof one === 'object' && one !== null);
  const names = ['name', 'userName', 'sn', 'version', 'account', 'email', 'label', 'value', 'code'];
  const found = rows.flatMap((row) => names.map((name) => row[name])).find((value) => typeof value === 'string' && value !== '');
  return String(found ?? '');
}

/** The limits of a span in words: "From 15 minutes to 90 days." */
function inSpans(words: Words, format: Format): Words {
  if (typeof words === 'string' || !('key' in words) || words.key !== 'invalid.whole') return words;
  const [min, max] = [words.params.min, words.params.max].map((minutes) => format.span(Number(minutes) * 60));
  return { key: 'invalid.span', params: { min: min ?? '', max: max ?? '' } };
}

/** By field, and by the part of a field that it is about. */
function toldOf(error: CallError): Record<string, string> {
  const told: Record<string, string> = {};
  for (const [path, { message }] of Object.entries(error.fields)) {
    const [name = '', part] = path.split('.');
    told[name] ??= message;
    if (part !== undefined) told[`${name}.${part}`] ??= message;
  }
  return told;
}

export interface FormOptions {
  schema: z.ZodType | undefined;
  initial: Values;
  fields: readonly FieldSpec[];
  /** What was typed before, over the initial values. */
  typed?: Values;
  /** Asks before unsaved changes are left. */
  guard?: boolean;
  /** Rules across fields, or beyond the schema; what one says of a field is more exact than what the schema says of it. */
  rules?: ((values: Values) => Record<string, string | undefined>) | undefined;
}

/** Values, errors and what was touched. An error shows once its field was left, or after a try to submit. */
export function useForm({ schema, initial, fields, typed, guard = false, rules }: FormOptions) {
  const t = useT();
  const format = useFormat();
  const start = useMemo(() => ({ ...defaultsOf(schema), ...initial }), [schema, initial]);
  const [values, setValues] = useState<Values>(() => ({ ...start, ...typed }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(0);
  const [refused, setRefused] = useState(0);
  const [server, setServer] = useState<Readonly<Record<string, string>>>({});
  const begun = useRef(start);
  /** What counts as unchanged. */
  const base = useRef(start);

  useEffect(() => {
    if (begun.current === start) return;
    begun.current = start;
    base.current = start;
    setValues(start);
  }, [start]);

  const hidden = new Set(fields.filter((field) => field.when && !field.when(values)).map((field) => field.name));
  const tidied = tidy(schema, values, hidden);
  const shape = shapeOf(schema);
  const found: Record<string, string> = {};
  const spans = new Set(fields.filter((field) => field.kind === 'span').map((field) => field.name));
  for (const [name, words] of Object.entries(check(schema, tidied)))
    found[name] = wordsOf(spans.has(name) ? inSpans(words, format) : words);
  const emptied = new Set(
    fields.flatMap(({ name }) => (!hidden.has(name) && isEmptied(shape[name], base.current[name], values[name]) ? [name] : [])),
  );
  for (const name of emptied) found[name] ??= t('invalid.required');
  for (const [name, words] of Object.entries(rules?.(values) ?? {})) if (words) found[name] = words;
  const dirty = textOf(values) !== textOf(base.current);

  /** What controls themselves find wrong, which no value says. */
  const held = useRef(new Map<string, string>());

  const done = useRef(false);
  useEffect(() => (guard && dirty ? holdLeaving(() => !done.current) : undefined), [guard, dirty]);

  const isShown = (name: string): boolean => left.has(name) || tried > 0;
  const errorOf = (name: string): string | undefined => server[name] ?? (isShown(name) ? found[name] : undefined);
  const shownFields = fields.filter((field) => !hidden.has(field.name));
  return {
    values,
    tidied,
    /** Only what the call takes. */
    ofShape: (given: Values): Values => Object.fromEntries(Object.entries(given).filter(([name]) => name in shape)),
    dirty,
    shape,
    tried,
    /** How often it was refused, here or by the server: each time what is wrong is shown. */
    refused,
    hidden,
    found,
    fields: shownFields,
    errorOf,
    /** Whether what is wrong with a field is said by now. */
    isShown,
    emptied,
    isNeeded: (name: string): boolean => isNeeded(schema, tidied, name),
    set: (name: string, value: unknown) => {
      // A part that only tells its values again has answered nothing.
      if (textOf({ value: values[name] }) === textOf({ value })) return;
      setValues((now) => ({ ...now, [name]: value }));
      setServer((now) => Object.fromEntries(Object.entries(now).filter(([path]) => path !== name && !path.startsWith(`${name}.`))));
    },
    /** What the page brings by itself once it knows it: nothing that a person would lose by leaving. */
    fill: (name: string, value: unknown) => {
      base.current = { ...base.current, [name]: value };
      setValues((now) => ({ ...now, [name]: value }));
    },
    /** Begins from what was saved and is known anew; what was typed since it was sent stays. */
    rebase: (fresh: Values, sent: Values) => {
      base.current = { ...defaultsOf(schema), ...fresh };
      done.current = false;
      const typed = (now: Values) => Object.entries(now).filter(([name, value]) => textOf({ value }) !== textOf({ value: sent[name] }));
      setValues((now) => ({ ...base.current, ...Object.fromEntries(typed(now)) }));
    },
    hold: (name: string, words: string | undefined): void => {
      if (words === undefined) held.current.delete(name);
      else held.current.set(name, words);
    },
    leave: (name: string) => setLeft((now) => (now.has(name) ? now : new Set(now).add(name))),
    /** Shows every error of these fields; false where there is one. */
    check: (names?: readonly string[]): boolean => {
      setTried((now) => now + 1);
      const isRight = !Object.keys(found).some(
        (name) => names === undefined || names.includes(name) || !((name.split('.')[0] ?? '') in shape),
      );
      const isHeld = [...held.current.keys()].some((name) => names === undefined || names.includes(name.split('.')[0] ?? ''));
      if (!isRight || isHeld) setRefused((now) => now + 1);
      return isRight && !isHeld;
    },
    /** Of these fields, what is wrong; for the summary. What its own fields say isn't said of the whole once more. */
    problems: (names?: readonly string[]) => {
      const all = fields
        .filter((field) => !names || names.includes(field.name))
        .flatMap((field) => {
          const text = errorOf(field.name);
          return text ? [{ name: field.name, label: t(field.label), text }] : [];
        });
      return all.filter(({ name }) => !all.some((other) => other.name.startsWith(`${name}.`)));
    },
    /** What the server finds wrong while it is still being typed stands at its fields, and nothing else moves. */
    mark: (error: CallError | undefined): void => setServer(error ? toldOf(error) : {}),
    /** What the server found wrong goes to its fields; true where all of it did. */
    refuse: (error: CallError): boolean => {
      const told = toldOf(error);
      setServer(told);
      setRefused((now) => now + 1);
      const names = Object.keys(told).filter((name) => !name.includes('.'));
      return names.length > 0 && names.every((name) => shownFields.some((field) => field.name === name));
    },
    /** After a success nothing is unsaved any more. */
    finish: () => {
      done.current = true;
    },
    untry: () => setTried(0),
    /** As it was at the beginning. */
    restart: () => {
      setValues(start);
      setLeft(new Set());
      setTried(0);
    },
  };
}
export type Form = ReturnType<typeof useForm>;
