import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { RowMenuButton } from '../../ui/row-parts.tsx';
import { toast } from '../../ui/toast.tsx';
import { hasText, type T, type TextKey, t, useT } from '../../ui/words.ts';
import type { ActDialog as Drawn } from '../act/act-dialog.tsx';
import { allows } from '../allows.ts';
import { makeOnce } from '../once.ts';
import { change } from '../queries.ts';
import { seenOf } from '../seen-of.ts';
import { mayCall, useSession } from '../session.ts';
import { go } from '../view.ts';
import type { ActForm, RowAction } from './types.ts';

/** Comes with the first act that asks for something. */
const ActDialog = lazy(() =>
  import('../act/act-dialog.tsx').then((found) => ({ default: found.ActDialog as unknown as ComponentType<object> })),
) as unknown as typeof Drawn;

/** A row's own allowed actions decide where an action names one; the call's permission elsewhere. */
export function allowedRowActions<R>(actions: readonly RowAction<R>[], row: R, session: ReturnType<typeof useSession>): RowAction<R>[] {
  return actions.filter(
    (action) =>
      (action.when?.(row) ?? true) &&
      (action.allowedAction === undefined ? mayCall(action.call, session) : allows(row, action.allowedAction)),
  );
}

/** Stands in the toast as long as that is shown. */
function undoOf<R>({ undo }: RowAction<R>, row: R, name: string) {
  if (!undo || !mayCall(undo.call)) return undefined;
  const input = undo.input ? undo.input(row) : { id: (row as { id: unknown }).id };
  const takeBack = () =>
    void change(undo.call, input).then(
      () => toast('done', t(undo.successText, { name })),
      // The client has shown why.
      () => undefined,
    );
  return { label: t('kit.undo'), onClick: takeBack };
}

export interface RowActs<R> {
  readonly start: (action: RowAction<R>, row: R) => void;
  readonly dialog: ReactNode;
}
interface Asked<R> {
  readonly action: RowAction<R>;
  readonly row: R;
}

const formOf = <R,>({ form }: RowAction<R>): ActForm<R> | undefined => (form && 'fields' in form ? form : form && { fields: form });

function sayDone<R>(action: RowAction<R>, row: R, name: string): void {
  const own = `${action.label}.done`;
  const text: TextKey = action.successText ?? (hasText(own) ? own : action.label);
  toast('done', t(text, { name }), undoOf(action, row, name));
}

function Asking<R>({ action, row, name: plain, onClose }: Asked<R> & { name: string; onClose: () => void }) {
  const { call, Dialog } = action;
  const form = formOf(action);
  const name = form?.of?.(row) ?? plain;
  if (Dialog) return <Dialog row={row} onClose={onClose} />;
  if (!form || !call) return null;
  return (
    <Suspense fallback={null}>
      <ActDialog
        action={{ ...action, call }}
        form={form}
        row={row}
        name={name}
        onDone={() => sayDone(action, row, name)}
        onClose={onClose}
      />
    </Suspense>
  );
}

/** Carries out an action: at once, or after its question or form. Gives the dialog to draw. */
export function useRowActs<R>(nameOf: (row: R) => string): RowActs<R> {
  const t = useT();
  const [asking, setAsking] = useState<Asked<R>>();
  const [busy, setBusy] = useState(false);
  const [once] = useState(() => makeOnce<unknown, unknown>());

  /** @returns whether it was done. */
  const carryOut = async ({ action, row }: Asked<R>): Promise<boolean> => {
    const { call, input } = action;
    if (!call) return false;
    const name = nameOf(row);
    const given = input ? input(row) : seenOf(call, row);
    // It may be pressed again before it is answered, and would be refused then.
    const { made, isFirst } = once([call.path, given], () => change(call, given));
    try {
      await made;
      if (isFirst) sayDone(action, row, name);
      return true;
    } catch {
      // The client has shown why.
      return false;
    }
  };
  /** A question stays open for another try where it was refused. */
  const confirmed = async (asked: Asked<R>) => {
    setBusy(true);
    try {
      if (await carryOut(asked)) setAsking(undefined);
    } finally {
      setBusy(false);
    }
  };
  const start = (action: RowAction<R>, row: R) => {
    if (action.to) go(action.to(row));
    else if (action.run) action.run(row);
    else if (action.form || action.Dialog || action.confirm || action.danger) setAsking({ action, row });
    else void carryOut({ action, row });
  };
  const close = () => setAsking(undefined);
  const name = asking ? nameOf(asking.row) : '';
  if (asking?.action.form || asking?.action.Dialog)
    return { start, dialog: <Asking key={asking.action.key} {...asking} name={name} onClose={close} /> };
  const label = asking ? t(asking.action.label) : '';
  const about = asking?.action.confirm?.text;
  const dialog = (
    <Confirm
      open={asking !== undefined}
      title={asking ? t('kit.act.sure', { act: label, name }) : ''}
      confirm={label}
      {...(asking?.action.confirm?.keep ? { cancel: t(asking.action.confirm.keep) } : {})}
      danger={asking?.action.danger ?? false}
      busy={busy}
      typeName={asking?.action.confirm?.type ? name : undefined}
      onClose={close}
      onConfirm={() => asking && void confirmed(asking)}
    >
      {typeof about === 'function' ? asking && about(asking.row) : about && t(about, { name, act: label })}
    </Confirm>
  );
  return { start, dialog };
}

interface ActsProps<R> {
  actions: readonly RowAction<R>[];
  row: R;
  start: (action: RowAction<R>, row: R) => void;
}

const menuOf = <R,>(actions: readonly RowAction<R>[], row: R, start: ActsProps<R>['start'], t: T) =>
  actions.map((action) => ({
    key: action.key,
    label: t(action.label),
    icon: action.icon,
    danger: action.danger,
    apart: action.apart,
    onClick: () => start(action, row),
  }));

export function RowMenu<R>({ actions, row, name, start }: ActsProps<R> & { name: string }) {
  const t = useT();
  const session = useSession();
  const shown = allowedRowActions(actions, row, session);
  if (shown.length === 0) return null;
  return <RowMenuButton label={t('kit.table.actsOf', { name })} items={() => menuOf(shown, row, start, t)} />;
}

/** The same actions as buttons, on a detail page: some stand open, the rest is in a menu. Where it `leads` the first stands out, as what comes next. */
export function ActBar<R>({ actions, row, name, start, leads }: ActsProps<R> & { name: string; leads?: number | undefined }) {
  const t = useT();
  const session = useSession();
  const shown = allowedRowActions(actions, row, session);
  const open = shown.filter((action) => !action.danger && !action.rare).slice(0, leads ?? 2);
  const rest = shown.filter((action) => !open.includes(action));
  return (
    <>
      {open.map((action, at) => (
        <Button
          key={action.key}
          look={leads !== undefined && at === 0 ? 'primary' : 'default'}
          {...(action.icon ? { icon: action.icon } : {})}
          onClick={() => start(action, row)}
        >
          {t(action.label)}
        </Button>
      ))}
      {rest.length > 0 ? (
        <MenuButton align="end" items={menuOf(rest, row, start, t)}>
          <Button icon="more" of={name}>
            {t('kit.more')}
          </Button>
        </MenuButton>
      ) : null}
    </>
  );
}
