import type { Call } from '@mooring/contract/kit/call';
import type { AnyEntity, EventsOf, RowOf } from '@mooring/contract/kit/entity';
import type { ComponentType } from 'react';
import type { TextKey } from '../../ui/words.ts';
import { allows } from '../allows.ts';
import type { ConfirmSpec, ListSpec, PageAction, RowAction } from '../list/types.ts';
import { columnsOf, type EntityColumn } from './entity-column.tsx';
import { filtersOf } from './entity-field.ts';
import { type OwnTexts, textsOf } from './own-texts.ts';

type Row<E extends AnyEntity> = RowOf<E>;
/** What a resource's list is made of: its calls by their usual names. */
export interface ListCalls<E extends AnyEntity> {
  readonly page: Call<E['query']>;
  readonly add?: Call;
  readonly update?: Call;
  readonly delete?: Call;
  readonly export?: Call;
}

export interface ResourceList<E extends AnyEntity, G>
  extends Omit<Partial<ListSpec<Call>>, 'call' | 'columns' | 'nameOf' | 'open' | 'rowActions' | 'slots' | 'sort'> {
  /** Under this code the table's settings are kept. */
  readonly code: string;
  readonly columns: readonly EntityColumn<Row<E>>[];
  readonly sort?: ListSpec<Call<E['query']>>['sort'];
  /** Where its pages are: `/new` and `/:id` below it are its form. */
  readonly path?: string;
  /** Where a row is edited, if that isn't `/:id`: that is the row itself then. */
  readonly editPath?: (row: { readonly id: number }) => string;
  /** Its form as a dialog, where it has no page. */
  readonly Add?: ComponentType<{ onClose: () => void }>;
  readonly edit?: (row: Row<E>) => void;
  /** The events of its machine that a person brings about. */
  readonly moves?: { readonly [V in EventsOf<E> & keyof G]?: { readonly successText: TextKey } & Partial<RowAction<Row<E>>> };
  /** How deleting is asked. */
  readonly deleting?: ConfirmSpec;
  /** Further acts, between those and deleting. */
  readonly rowActions?: readonly RowAction<Row<E>>[];
  readonly nameOf?: (row: Row<E>) => string;
  readonly open?: (row: Row<E>) => string;
  readonly emptyText?: TextKey;
  readonly slots?: { readonly above?: ComponentType; readonly aside?: ComponentType<{ row: Row<E>; onClose: () => void }> };
}

/** A list from its row's declaration: columns by their keys, every filter that there is, and the acts that its calls are. */
export function listOf<E extends AnyEntity, G extends ListCalls<E>>(
  of: E,
  calls: G,
  list: ResourceList<E, G> & OwnTexts<E['texts']>,
): ListSpec<G['page']> {
  const { path, editPath, Add, edit, moves = {}, deleting, rowActions = [], emptyText, columns, texts: _texts, ...rest } = list;
  const text = textsOf(of.texts, list);
  const events: Readonly<Record<string, object>> = moves;
  const toForm = editPath ?? ((row: { id: number }) => `${path}/${row.id}`);
  const search = Object.keys(of.search)[0];
  const acts: unknown[] = [
    ...(calls.update && (path || edit)
      ? [{ key: 'edit', label: text('edit'), icon: 'edit', allowedAction: 'update', ...(edit ? { run: edit } : { to: toForm }) }]
      : []),
    ...Object.entries(events).map(([event, more]) => ({
      key: event,
      call: (calls as unknown as Record<string, Call>)[event],
      label: `event.${of.machine?.name}.${event}`,
      allowedAction: event,
      ...more,
    })),
    ...rowActions,
    ...(calls.delete
      ? [
          {
            key: 'delete',
            call: calls.delete,
            label: text('delete'),
            allowedAction: 'delete',
            danger: true,
            successText: calls.delete.dual ? 'change.sent' : 'done.deleted',
            ...(deleting ? { confirm: deleting } : {}),
          },
        ]
      : []),
  ];
  const add = {
    key: 'add',
    label: text('add'),
    icon: 'add',
    primary: true,
    call: calls.add,
    ...(Add ? { Dialog: Add } : { to: `${path}/new` }),
  };
  const [first, ...others] = columnsOf(of, columns);
  const spec = {
    title: of.title as TextKey,
    call: calls.page,
    columns:
      path && first
        ? [{ link: (row: Row<E>) => (editPath || allows(row, 'update') ? `${path}/${row.id}` : undefined), ...first }, ...others]
        : [first, ...others],
    filters: filtersOf(of),
    ...(search === undefined ? {} : { search: { field: search, hint: text('search') } }),
    ...(calls.add && (path || Add) ? { actions: [add] as PageAction[] } : {}),
    rowActions: acts,
    ...(calls.export ? { export: calls.export } : {}),
    empty: { title: text('empty'), ...(emptyText ? { text: emptyText } : {}) },
    ...rest,
  };
  return spec as unknown as ListSpec<G['page']>;
}
