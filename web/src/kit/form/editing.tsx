import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { allows } from '../allows.ts';
import { CallFailed, NoAccess } from '../dead-end.tsx';
import { useCall } from '../queries.ts';
import { mayCall } from '../session.ts';
import { go, idIn, useView, type View } from '../view.ts';
import { textOf } from './schema.ts';
import type { Values } from './types.ts';

/** The same form on an existing row: loads it, and sends its changes with its id. */
export interface EditSpec<C extends Call, E extends Call = Call, L extends Call = Call, B extends Call = Call> {
  readonly title: TextKey;
  readonly load: L;
  readonly call: E;
  readonly input?: (view: View) => InputOf<L>;
  readonly values: (row: OutputOf<L>) => Partial<InputOf<C>>;
  /** Fields that can't be changed any more. */
  readonly fixed?: readonly (keyof InputOf<C> & string)[];
  /** What a new one begins with that copies a row: `?copy=` in the address of the new one, which may say more. */
  readonly copied?: (row: OutputOf<L>, search: URLSearchParams, beside?: OutputOf<B>) => Partial<InputOf<C>>;
  /** What a copy needs to know besides, by what its address says; nothing where that says nothing. */
  readonly beside?: { readonly call: B; readonly input: (id: number, search: URLSearchParams) => InputOf<B> | undefined };
  /** Where giving up leads, if not where the new one's does. */
  readonly cancel?: (id: number) => string;
  /** What is said after a change, where it isn't what is said of a new one. */
  readonly successText?: TextKey;
  /** What the row must allow; without it the form doesn't open. */
  readonly allowedAction?: string;
}

export interface FilledProps {
  readonly initial: Values;
  /** Of the row that is edited. */
  readonly id?: number;
  /** The row was changed elsewhere in the meantime. */
  readonly note?: ReactNode;
}

interface Props {
  /** Creates. */
  readonly call: Call;
  readonly edit: EditSpec<Call> | undefined;
  readonly initial: Values;
  readonly cancel: string;
  /** The form itself. */
  readonly draw: (props: FilledProps) => ReactNode;
}

/** A form's page: empty for a new row, or with the row that the address names. */
export function NewOrEdited({ call, edit, initial, cancel, draw }: Props) {
  const view = useView();
  if (edit && view.params.id) return <Edited key={view.params.id} edit={edit} view={view} cancel={cancel} draw={draw} />;
  const copy = Number(view.search.get('copy'));
  const of = edit?.copied && Number.isSafeInteger(copy) && copy > 0 ? { edit, copy } : undefined;
  if (of) return <Copied key={copy} search={view.search} call={call} initial={initial} draw={draw} {...of} />;
  return <New call={call} initial={initial} draw={draw} />;
}

interface CopiedProps extends Pick<Props, 'call' | 'initial' | 'draw'> {
  readonly edit: EditSpec<Call>;
  readonly copy: number;
  readonly search: URLSearchParams;
}

/** A new row that begins as another one stands. */
function Copied({ edit, copy, search, initial, ...rest }: CopiedProps) {
  const row = useCall(edit.load, { id: copy } as never);
  const asked = edit.beside?.input(copy, search);
  const beside = useCall(edit.beside?.call ?? edit.load, (asked ?? { id: copy }) as never, { enabled: asked !== undefined });
  const isBeside = asked === undefined || (beside.data !== undefined && !beside.fetching && !beside.error);
  const [first, setFirst] = useState<Values>();
  // The form begins anew with other first values: the row that is asked for again is no reason to lose what was typed. What was kept from an
  // earlier visit waits for its fresh answer.
  if (!first && row.data !== undefined && !row.fetching && !row.error && isBeside)
    setFirst({ ...initial, ...(edit.copied?.(row.data as never, search, beside.data as never) as Values | undefined) });
  const failed = [row, beside].find(({ error }) => error);
  if (!first) return failed?.error ? <CallFailed error={failed.error} onRetry={failed.retry} /> : <PageSkeleton />;
  return <New {...rest} initial={first} />;
}

/** Asked once: a right that goes while somebody types takes nothing of it away, the server says so then. */
function New({ call, initial, draw }: Pick<Props, 'call' | 'initial' | 'draw'>) {
  const [may] = useState(() => mayCall(call));
  return may ? draw({ initial }) : <NoAccess />;
}

function Edited({ edit, view, cancel, draw }: Omit<Props, 'call' | 'initial'> & { edit: EditSpec<Call>; view: View }) {
  const t = useT();
  const id = idIn(view);
  const row = useCall(edit.load, (edit.input?.(view) ?? { id }) as never);
  // The form keeps what was loaded first: a change elsewhere doesn't overwrite what is being typed. What was kept from an earlier visit
  // waits for its fresh answer, or an old value would be saved again.
  const [first, setFirst] = useState<{ readonly values: Values; readonly may: boolean }>();
  if (!first && row.data !== undefined && !row.fetching && !row.error)
    setFirst({ values: { ...revisionOf(row.data), ...(edit.values(row.data as never) as Values) }, may: mayEdit(edit, row.data) });
  if (!first) return row.error ? <CallFailed error={row.error} onRetry={row.retry} /> : <PageSkeleton />;
  if (!first.may)
    return (
      <Empty level={1} icon="lock" title={t('kit.edit.refused')} text={t('kit.edit.refusedText')}>
        <Button onClick={() => go(cancel)}>{t('kit.edit.back')}</Button>
      </Empty>
    );
  const overtaken =
    row.error !== undefined ||
    !mayEdit(edit, row.data) ||
    textOf({ ...first.values, ...(edit.values(row.data as never) as Values) }) !== textOf(first.values);
  return draw({ initial: first.values, id, note: overtaken ? <Note tone="warn">{t('kit.edit.overtaken')}</Note> : null });
}

/** Which revision the form was filled from. */
const revisionOf = (row: unknown): Values => {
  const { revision } = row as { revision?: number };
  return revision === undefined ? {} : { revision };
};

const mayEdit = (edit: EditSpec<Call>, row: unknown): boolean =>
  mayCall(edit.call) && (edit.allowedAction === undefined || allows(row, edit.allowedAction));
