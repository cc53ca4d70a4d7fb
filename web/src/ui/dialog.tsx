import { isRightToLeft } from '@mooring/contract/shared/format';
import { Drawer as AntDrawer, Modal } from 'antd';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './controls.tsx';
import { Field } from './field.tsx';
import { useNarrow } from './media.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { speech, useT } from './words.ts';

export interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  width?: number;
  /** Not to be closed by a click beside it or by Escape: what it shows isn't shown again. */
  firm?: boolean;
  /** At work: it stays until it is answered, since an answer that comes after it was closed would close what was opened meanwhile. */
  busy?: boolean;
  /** Without a cross: only its buttons end it. */
  crossless?: boolean;
  /** Not to be closed by a click beside it: people type here. Escape is meant. */
  typed?: boolean;
  /** The title is for screen readers alone. */
  bare?: boolean;
}

/** Overlays in the body itself lock its scrolling by a style element without the nonce; in a place of their own the style sheet does it. */
const place = () => document.getElementById('overlays') ?? document.body;

/** The first field takes the focus; without one the dialog keeps it. */
const focusFirst = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>('input:not([type=hidden]):not([hidden]):not(:disabled), textarea:not(:disabled)')?.focus();

/** Where the keyboard was goes on from there: a dialog that is taken away with its content leaves it nowhere otherwise. */
function useFocusBack(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body && document.activeElement !== null) return;
        const there = before?.isConnected && before !== document.body ? before : document.getElementById('main');
        there?.focus();
      });
    };
  }, [open]);
}

const AtWork = createContext<(working: boolean) => void>(() => {});
/** Keeps the dialog that this is drawn in as long as it is at work, as `busy` does. */
export function useAtWork(working: boolean): void {
  const hold = use(AtWork);
  useEffect(() => {
    if (!working) return;
    hold(true);
    return () => hold(false);
  }, [working, hold]);
}

export function Dialog({ open, title, onClose, children, footer, width = 480, firm, busy = false, typed, bare, crossless }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const working = busy || held;
  useFocusBack(open);
  return (
    <Modal
      open={open}
      getContainer={place}
      title={title}
      {...(bare ? { className: 'm-dialog-bare' } : {})}
      closable={bare || crossless ? false : { disabled: working }}
      onCancel={() => working || onClose()}
      width={width}
      mask={{ closable: !firm && !typed, blur: false }}
      keyboard={!firm}
      destroyOnHidden
      afterOpenChange={(shown) => shown && focusFirst(body.current)}
      footer={footer ? <div className="m-dialog-foot">{footer}</div> : null}
      centered={!bare}
      {...(bare ? { style: { insetBlockStart: '12vh' } } : {})}
    >
      <div ref={body} {...(bare ? { role: 'group', 'aria-label': title } : {})}>
        <AtWork value={setHeld}>{children}</AtWork>
      </div>
    </Modal>
  );
}

export interface ConfirmProps {
  open: boolean;
  title: string;
  /** What will be affected, in a sentence. */
  children: ReactNode;
  /** Says what happens: "Lock 1,204 terminals". */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** Can't be undone: this has to be typed first. */
  typeName?: string | undefined;
  busy?: boolean;
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({
  open,
  title,
  children,
  confirm,
  cancel,
  danger,
  typeName,
  busy = false,
  disabled,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening begins anew
  useEffect(() => setTyped(''), [open]);
  const ready = !disabled && (typeName === undefined || typed.trim() === typeName);
  return (
    <Dialog
      open={open}
      title={title}
      onClose={onClose}
      busy={busy}
      width={440}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {cancel ?? t('kit.cancel')}
          </Button>
          <Button look="primary" danger={danger ?? false} busy={busy} disabled={!ready} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <div>{children}</div>
        {typeName === undefined ? null : (
          <Field label={t('kit.confirm.type', { name: typeName })}>
            <TextInput value={typed} onChange={setTyped} autoFocus onEnter={() => ready && !busy && onConfirm()} />
          </Field>
        )}
      </div>
    </Dialog>
  );
}

const Beside = createContext(false);
/** Drawers in here show a row beside its list, which stays in use: another click shows another row. */
export const BesideList = ({ children }: { children: ReactNode }) => <Beside value>{children}</Beside>;

/** Without a mask nothing holds the focus; it begins in the drawer all the same. */
const focusIn = (panel: HTMLElement | null) => panel?.querySelector('button')?.focus({ preventScroll: true });

export function Drawer({ open, title, onClose, children, footer, width = 480, side = 'end' }: DialogProps & { side?: 'start' | 'end' }) {
  const mirrored = isRightToLeft(speech.get().lang);
  const placement = (side === 'end') !== mirrored ? 'right' : 'left';
  const narrow = useNarrow();
  // On a narrow screen nothing of the list is left to be used.
  const beside = use(Beside) && !narrow;
  useFocusBack(open);
  return (
    <AntDrawer
      open={open}
      getContainer={place}
      title={<h2 className="m-drawer-title">{title}</h2>}
      onClose={onClose}
      styles={{ body: { padding: 0, overflow: 'hidden' } }}
      size={Math.min(width, window.innerWidth)}
      placement={placement}
      destroyOnHidden
      {...(beside ? { mask: false, 'aria-modal': false, autoFocus: false, panelRef: focusIn, rootClassName: 'm-drawer-beside' } : {})}
      footer={footer ? <div className="m-dialog-foot">{footer}</div> : null}
    >
      <Beside value={false}>
        <ScrollRegion className="m-drawer-body" label={title}>
          {children}
        </ScrollRegion>
      </Beside>
    </AntDrawer>
  );
}
