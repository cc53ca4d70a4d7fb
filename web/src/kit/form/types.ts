import type { ComponentType, ReactNode } from 'react';
import type { TextKey, Words } from '../../ui/words.ts';
import type { MadeOn } from '../made-on.ts';

/** Values under way: any field may still be missing. */
export type Values = Record<string, unknown>;

export type FieldKind =
  | 'text'
  | 'area'
  | 'number'
  | 'one'
  | 'multi'
  | 'radio'
  | 'switch'
  | 'password'
  | 'moment'
  | 'day'
  | 'span'
  | 'tags'
  /** Texts of one's own that have spaces in them. */
  | 'phrases'
  | 'custom';

export interface ControlPart<V = unknown> {
  value: V;
  onChange: (value: V) => void;
  onBlur: () => void;
  values: Values;
  set: (name: string, value: unknown) => void;
  /** As `set`, for what nobody typed: it isn't asked about when the form is left. */
  fill: (name: string, value: unknown) => void;
  disabled: boolean;
}

export interface FieldChoice {
  readonly value: string | number;
  readonly label: Words;
  readonly about?: Words;
  readonly picture?: ReactNode;
}

/** What a hook offers to choose from. */
export interface Offered<C = FieldChoice> {
  readonly choices: readonly C[];
  readonly busy?: boolean;
  /** Where such things are made: an empty list leads there. */
  readonly madeOn?: MadeOn;
}

/** A field of a form. Kind, limits, options and whether it is required come from the call's input where they aren't said here. */
export interface FieldSpec<V = Values> {
  readonly name: keyof V & string;
  readonly label: TextKey;
  readonly help?: TextKey;
  readonly kind?: FieldKind;
  readonly choices?: readonly FieldChoice[];
  /** For an enum: its options, named by this and the value. */
  readonly names?: string;
  /** Choices from the server; a hook. One that takes no text knows them all: the select narrows them by itself. */
  readonly useChoices?: (text: string, chosen: readonly (string | number)[]) => Offered;
  readonly when?: (values: V) => boolean;
  readonly unit?: TextKey;
  /** Empty it is refused, though its schema takes nothing: another field decides. */
  readonly needed?: boolean;
  /** Other fields say whether it is needed: it isn't marked as optional. */
  readonly unmarked?: boolean;
  /** Half a row where there is room; areas and custom controls take a whole one. */
  readonly wide?: boolean;
  readonly fixed?: boolean;
  /** Where there is one choice alone it is taken. */
  readonly only?: boolean;
  /** An organisation that is mostly the person's own: theirs is taken at first, where it can be chosen. */
  readonly own?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a control knows the type of its own field.
  readonly Control?: ComponentType<ControlPart<any>>;
}

export interface Section<V = Values> {
  readonly title?: TextKey;
  readonly text?: TextKey;
  readonly fields: readonly FieldSpec<V>[];
  readonly when?: (values: V) => boolean;
  readonly below?: ReactNode;
}
