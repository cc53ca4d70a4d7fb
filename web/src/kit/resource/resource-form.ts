import type { Call, OutputOf } from '@mooring/contract/kit/call';
import type { AnyEntity } from '@mooring/contract/kit/entity';
import type { z } from 'zod';
import type { TextKey } from '../../ui/words.ts';
import type { FormSpec } from '../form/form-page.tsx';
import { type EntityField, fieldsOf, fixedOf, valuesOf } from './entity-field.ts';
import { type OwnTexts, textsOf } from './own-texts.ts';

export interface FormCalls<E extends AnyEntity> {
  readonly detail: Call;
  readonly add: Call<E['add']>;
  readonly update: Call<E['change']>;
}
export interface ResourceForm<E extends AnyEntity> {
  /** Where its list is: that is where it leads when it is done or given up. */
  readonly path: string;
  readonly fields: readonly EntityField<E>[];
  /** What a new one begins with, where its schema doesn't say it. */
  readonly initial?: Partial<z.input<E['add']>>;
  /** What a new one takes from the row that the address names (`?copy=`); without it none is copied. */
  readonly copied?: (values: z.input<E['add']>) => Partial<z.input<E['add']>>;
  readonly successText?: TextKey;
  /** What comes next after something was made. */
  readonly next?: FormSpec<Call<E['add'], E['row']>>['next'];
}

/** One form for adding and editing, from its row's declaration. */
export function formOf<E extends AnyEntity, G extends FormCalls<E>>(
  of: E,
  calls: G,
  form: ResourceForm<E> & OwnTexts<E['texts']>,
): FormSpec<G['add'], G['update'], G['detail']> {
  const { path, fields, initial = {}, successText = 'done.added', next, copied } = form;
  const text = textsOf(of.texts, form);
  const spec = {
    title: text('add'),
    submit: text('add'),
    call: calls.add,
    successText,
    initial,
    ...(next ? { next } : {}),
    edit: {
      title: text('edit'),
      load: calls.detail,
      call: calls.update,
      successText: 'done.saved' as const,
      allowedAction: 'update',
      values: (row: OutputOf<G['detail']>) => valuesOf(of, row as Record<string, unknown>),
      ...(copied ? { copied: (row: OutputOf<G['detail']>) => copied(valuesOf(of, row as Record<string, unknown>) as never) } : {}),
      fixed: fixedOf(of),
    },
    sections: [{ fields: fieldsOf(of, fields) }],
    done: () => path,
    cancel: path,
  };
  return spec as unknown as FormSpec<G['add'], G['update'], G['detail']>;
}
