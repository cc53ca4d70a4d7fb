import { useEffect } from 'react';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { type Toast, type ToastKind, withToast } from './shown-toasts.ts';
import { createStore, useStore } from './store.ts';
import { useT } from './words.ts';

const shown = createStore<readonly Toast[]>([]);
const icons: Record<ToastKind, IconName> = { done: 'done', info: 'about', warning: 'warning', error: 'danger' };
let next = 1;

/** Whoever reads one, or is on the way to its button, isn't hurried. */
let held = false;

const dismiss = (id: number) => shown.set((now) => now.filter((toast) => toast.id !== id));

function pass(id: number, after: number): void {
  setTimeout(() => (held ? pass(id, after) : dismiss(id)), after);
}

/** A passing word. Errors stay twice as long, what somebody has to read until it is closed; the same words never stand there twice. */
export function toast(kind: ToastKind, text: string, action?: Toast['action'], stays = false): void {
  const id = next++;
  shown.set((now) => withToast(now, { id, kind, text, action, stays }));
  if (!stays) pass(id, kind === 'error' || kind === 'warning' || action ? 8000 : 4000);
}

function One({ of: { id, kind, text, action } }: { of: Toast }) {
  const t = useT();
  return (
    <div className={`m-toast m-toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={icons[kind]} />
      <span className="m-grow">{text}</span>
      {action ? (
        <button
          type="button"
          className="m-plain m-toast-act"
          onClick={() => {
            action.onClick();
            dismiss(id);
          }}
        >
          {action.label}
        </button>
      ) : null}
      <IconButton small icon="close" label={t('kit.close')} onClick={() => dismiss(id)} />
    </div>
  );
}

/** Those that pass lie over the page. */
export function Toasts() {
  const toasts = useStore(shown).filter(({ stays }) => !stays);
  const t = useT();
  const none = toasts.length === 0;
  useEffect(() => {
    if (none) held = false;
  }, [none]);
  return (
    <section
      className="m-toasts"
      aria-label={t('kit.toast.passing')}
      aria-live="polite"
      onMouseEnter={() => {
        held = true;
      }}
      onMouseLeave={() => {
        held = false;
      }}
      onFocus={() => {
        held = true;
      }}
      onBlur={() => {
        held = false;
      }}
    >
      <div className="m-toasts-list">
        {toasts.map((one) => (
          <One key={one.id} of={one} />
        ))}
      </div>
    </section>
  );
}

/** Those that stay until they are closed have a place of their own: over the page they would cover what is to be pressed. The newest first. */
export function StayingToasts() {
  const toasts = useStore(shown).filter(({ stays }) => stays);
  const t = useT();
  return (
    <section className="m-staying" aria-label={t('kit.toast.region')} aria-live="polite" hidden={toasts.length === 0}>
      {toasts.toReversed().map((one) => (
        <One key={one.id} of={one} />
      ))}
    </section>
  );
}
