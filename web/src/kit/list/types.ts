import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { Machine } from '@mooring/contract/kit/state-machine';
import type { ComponentType, ReactNode } from 'react';
import type { IconName } from '../../ui/icon.tsx';
import type { TextKey, Words } from '../../ui/words.ts';
import type { FieldSpec, Offered, Values } from '../form/types.ts';

export type RowOf<C> = OutputOf<C> extends { content: (infer R)[] } ? R : never;
export type CriteriaOf<C> = InputOf<C> extends { criteria?: infer K } ? NonNullable<K> : never;
export type SortOf<C> =
  InputOf<C> extends { page?: infer P } ? (NonNullable<P> extends { sort?: infer S } ? NonNullable<S> & string : never) : never;

/** How a value is written; the default is plain text. */
export type CellKind =
  | 'text'
  | 'code'
  | 'number'
  | 'size'
  | 'duration'
  | 'percent'
  | 'moment'
  | 'date'
  | 'ago'
  /** How long it has lasted since a moment. */
  | 'since'
  | 'state'
  | 'name'
  | 'tags'
  | 'yes';

export interface ColumnCommon<R> {
  readonly title: TextKey;
  readonly kind?: CellKind;
  readonly width?: number;
  readonly minWidth?: number;
  readonly pinned?: 'left' | 'right';
  /** Not shown until the person chooses it. */
  readonly off?: boolean;
  /** Where the value leads. */
  readonly link?: (row: R) => string | undefined;
  /** For `state`. */
  readonly machine?: Machine;
  /** For `name`: the value's text key is this and the value. */
  readonly names?: string;
  readonly cell?: (row: R) => ReactNode;
}
/** A value of a closed list is a code: it has words (`names`, `machine`) or a cell of its own. */
type Code<V> = V extends string ? (string extends V ? never : V) : never;
type Each<V> = V extends readonly unknown[] ? V[number] : V;
export type InWords<V> = [Code<Each<NonNullable<V>>>] extends [never]
  ? unknown
  : { readonly names: string } | { readonly machine: Machine } | { readonly cell: unknown };
type OwnColumn<R, S extends string> = {
  [K in keyof R & string]: ColumnCommon<R> & {
    readonly key: K;
    /** Sorted by this field of the call, or by another one's name. */
    readonly sort?: boolean | S;
  } & InWords<R[K]>;
}[keyof R & string];
export type Column<R, S extends string = string> =
  | OwnColumn<R, S>
  | (ColumnCommon<R> & { readonly key: `_${string}`; readonly cell: (row: R) => ReactNode; readonly sort?: S });

export interface Choice {
  readonly value: string | number;
  readonly label: Words;
}

interface FilterCommon {
  readonly label: TextKey;
  /** `multi` for an exact field with choices, `days` for a range (`minutes` where hours count), `text` otherwise. */
  readonly kind?: 'text' | 'one' | 'multi' | 'days' | 'minutes' | 'months' | 'statistic' | 'yes';
  readonly machine?: Machine;
  readonly choices?: readonly Choice[];
  /** For an enum: its options, named by this and the value. */
  readonly names?: string;
  /**
   * Choices from the server; a hook. `text` is what is typed, `chosen` the values that need a name. One that takes no text knows them all: the
   * select narrows them by itself.
   */
  readonly useChoices?: (text: string, chosen: readonly (string | number)[]) => Offered<Choice>;
}
export type Filter<C> = FilterCommon & { readonly field: keyof CriteriaOf<C> & string };

export interface ConfirmSpec<R = unknown> {
  /** Gets `{name}`; or what it is to do with this row. */
  readonly text: TextKey | ((row: R) => ReactNode);
  /** Can't be undone: the name has to be typed. */
  readonly type?: boolean;
  /** What the button that leaves it says, where "Cancel" would be read as the act. */
  readonly keep?: TextKey;
}

/** The call that takes an act back; shown beside the word that it is done, to those who may. */
export interface Undo<R> {
  readonly call: Call;
  /** `{ id }` otherwise. */
  readonly input?: (row: R) => unknown;
  readonly successText: TextKey;
}

/** A field by its name alone, or with what its call's input and the texts don't say. */
export type ActField = string | (Partial<FieldSpec> & { readonly name: string });
export interface ActForm<R> {
  readonly fields: readonly ActField[];
  /** The act's own words otherwise, as for its button. */
  readonly title?: TextKey;
  readonly submit?: TextKey;
  /** What the row is called in this act, if not by its name. */
  readonly of?: (row: R) => string;
  /** What follows from it; `order.ship.about` otherwise, where there is such a text. */
  readonly about?: TextKey | ((row: R) => ReactNode);
  readonly wide?: boolean;
}

/** An act on one row. Shown when the row allows it, or else when the person may make the call. */
export interface RowAction<R> {
  readonly key: string;
  readonly label: TextKey;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly apart?: boolean;
  /** Rare: on a detail page it stands in the menu. */
  readonly rare?: boolean;
  readonly allowedAction?: string | undefined;
  readonly when?: (row: R) => boolean;
  readonly call?: Call;
  readonly input?: (row: R) => unknown;
  readonly to?: (row: R) => string;
  readonly run?: (row: R) => void;
  readonly confirm?: ConfirmSpec<R>;
  /** What the call wants to know beside the row. Fields are named by texts: `order.ship.carrier`, or else `order.carrier`. */
  readonly form?: ActForm<R> | readonly ActField[];
  /** Its own, in place of a question or a form. */
  readonly Dialog?: (props: { row: R; onClose: () => void }) => ReactNode;
  readonly undo?: Undo<R>;
  /** What happened to what: "Package 4.3.0 published". Gets `{name}`; `package.publish.done` otherwise. */
  readonly successText?: TextKey;
}

export interface BulkDialogProps {
  /** The rows, as bulk calls take them. */
  readonly of: unknown;
  readonly count: number;
  readonly capped: boolean;
  readonly onClose: () => void;
}

/** An act on the selection: `{ of, preview }` and what its form adds. */
export interface BulkAction {
  readonly key: string;
  /** Gets `{count}`: "Disable {count} terminals". */
  readonly label: TextKey;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly call: Call;
  /** What was done, "84 terminals disabled"; gets `{done}`. Where its answer is a file, that is saved at once, under this name. */
  readonly successText?: TextKey | ((outcome: never) => Words);
  readonly fileName?: string;
  /** What happens, in a sentence; gets `{count}`. */
  readonly text?: TextKey;
  readonly type?: boolean;
  readonly form?: {
    readonly fields: readonly FieldSpec<Values>[];
    readonly initial: Values;
    readonly input?: (values: Values) => Record<string, unknown>;
    /** What a control sets beside its own field, and goes along. */
    readonly carries?: readonly string[];
  };
  /** Its own, in place of the preview and the question. */
  readonly Dialog?: ComponentType<BulkDialogProps>;
  /** Fields sent besides. */
  readonly extra?: Record<string, unknown>;
  /** Takes it back, where the rows were chosen one by one and all of it was done: `{ of }` of the same rows. */
  readonly undo?: { readonly call: Call; readonly successText: TextKey };
}

export interface PageAction {
  readonly key: string;
  readonly label: TextKey;
  readonly icon?: IconName;
  readonly primary?: boolean;
  /** Leads to something beside the rows: an empty list doesn't offer it as its next step. */
  readonly aside?: boolean;
  /** Shown to those who may make this call. */
  readonly call?: Call;
  readonly to?: string;
  readonly run?: () => void;
  readonly Dialog?: ComponentType<{ onClose: () => void }>;
}

export interface ListSpec<C extends Call> {
  /** Under this code the table's settings are kept. */
  readonly code: string;
  readonly title: TextKey;
  readonly call: C;
  readonly columns: readonly Column<RowOf<C>, SortOf<C>>[];
  /** In which order it is shown first, if not in the call's own. */
  readonly sort?: SortOf<C> | `-${SortOf<C>}`;
  readonly filters?: readonly Filter<C>[];
  /** The criteria field that the search box fills. */
  readonly search?: { readonly field: keyof CriteriaOf<C> & string; readonly hint: TextKey };
  readonly actions?: readonly PageAction[];
  readonly rowActions?: readonly RowAction<RowOf<C>>[];
  readonly bulk?: readonly BulkAction[];
  readonly export?: Call;
  /** What a row is called, in confirmations and for screen readers; its first column otherwise. */
  readonly nameOf?: (row: RowOf<C>) => string;
  /** Where a click on a row leads. */
  readonly open?: (row: RowOf<C>) => string;
  readonly empty?: { readonly title: TextKey; readonly text?: TextKey; readonly icon?: IconName };
  /** Asks again after so many seconds while these rows are shown. */
  readonly every?: (rows: readonly RowOf<C>[]) => number | undefined;
  readonly slots?: {
    readonly above?: ComponentType;
    /** Opens beside the list for the row that the address names. */
    readonly aside?: ComponentType<{ row: RowOf<C>; onClose: () => void }>;
  };
}

type DomainOf<L extends string> = L extends `${infer D}.${string}` ? D : never;
type Worded<L extends string, K extends string> = `${L}.${K}` | `${DomainOf<L>}.${K}`;
/** Fields of the input that have words in this act or in its domain. */
type Named<C, L extends string> = {
  [K in keyof InputOf<C> & string]: Extract<Worded<L, K>, TextKey> extends never ? never : K;
}[keyof InputOf<C> & string];
type FieldOf<C, L extends string> = Named<C, L> | (Partial<FieldSpec<InputOf<C>>> & { readonly name: Named<C, L> }) | FieldSpec<InputOf<C>>;
type FormOf<R, C, L extends string> =
  | readonly FieldOf<C, L>[]
  | (Omit<ActForm<R>, 'fields'> & { readonly fields: readonly FieldOf<C, L>[] });
type RowActSpec<R, C, L extends TextKey> = Omit<RowAction<R>, 'call' | 'form' | 'input' | 'key' | 'label' | 'successText'> & {
  label: L;
  key?: string;
} & (`${L}.done` extends TextKey ? { successText?: TextKey } : { successText: TextKey }) &
  ({ form?: undefined; input?: (row: R) => InputOf<C> } | { form: FormOf<R, C, L>; input?: (row: R) => Partial<InputOf<C>> });
/** A row action with its input typed from the call; without `input` it sends `{ id }`, and the revision that was seen where the call takes one. */
export const rowAction = <R, C extends Call, const L extends TextKey>(call: C, spec: RowActSpec<R, C, L>): RowAction<R> =>
  ({ key: call.name, call, ...spec }) as unknown as RowAction<R>;
/** Actions that a row allows under their keys. */
export const ofRow = <R>(actions: readonly RowAction<R>[]): RowAction<R>[] =>
  actions.map((action) => ({ allowedAction: action.key, ...action }));
export const bulkAct = (call: Call, spec: Omit<BulkAction, 'call' | 'key'> & { key?: string }): BulkAction => ({
  key: call.name,
  call,
  ...spec,
});
